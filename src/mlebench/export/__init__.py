"""Export the tasks in forms that other programs read."""

from mlebench.export.tree import export_reference_tree

__all__ = ["export_reference_tree"]
