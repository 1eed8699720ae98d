"""Agents: what one is (`declaration`), where they come from (`registry`), and the two that need no model."""
