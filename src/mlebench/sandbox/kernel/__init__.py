"""Interfaces of the Linux kernel: control groups, seccomp filters, processes, files in memory."""
