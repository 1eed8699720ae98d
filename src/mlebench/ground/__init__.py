"""Helpers for every room: files, tables, time, wording, and loading of code and declarations."""
