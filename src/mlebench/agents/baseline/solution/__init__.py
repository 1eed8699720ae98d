"""The baseline agent: `python -m solution`, started in its own folder."""
