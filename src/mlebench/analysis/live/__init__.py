"""Reports on runs in progress, served to a browser on this machine.

progress  which runs are done, in progress and waiting
site      the addresses and their content
server    HTTP on the loopback interface; the function `view`
"""
