"""What an agent is, where agents come from, and what they run on; the bundled agents have a folder each.

declaration   agent.yaml as an object; variants: settings that extend each other
registry      find agents by name: bundled, from plugin packages, in a folder of the user
installation  what an agent runs on in a sandbox, and how to install it
environment   a virtual environment for an agent's packages; interpreters: Python versions on this machine
image         a container image for an agent's packages; image_build: build it, and the base image
inside/       the module `mlebench_task`, which is placed beside every agent
"""
