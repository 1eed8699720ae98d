"""What every room may use: files, tables, time, wording, and loading of code and declarations."""
