"""The servers that a sandbox may reach, each on a Unix socket of one run.

check        the submission check: is a file a valid submission?
models       the model gateway: language models, without a network and without keys
scripted     a model server that follows a script, for tests and to try an agent
tools        scripts for agents: validate_submission.sh asks the submission check
unix_socket  paths of sockets
"""
