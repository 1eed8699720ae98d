"""Reports on runs that go on, served to a browser on this machine.

progress  what is done, what goes on, what waits
site      the addresses there are, and what each of them holds
server    HTTP on the loopback interface
"""
