"""New agents and new tasks: `agent` and `task` each have `make`, which writes a folder, and `check`, which tests it."""
