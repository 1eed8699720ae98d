"""Agents: what one is, where they come from, what they run on, and a folder for each that comes along.

declaration  agent.yaml; variants: its settings by inheritance
registry     built in, from plugin packages, from a folder of the user's
inside/      the helper module that lies beside every agent
scaffold/    a new agent's folder
rehearsal    one short run with a scripted model; findings: what a run would trip over
environment  an agent's packages, in an environment of their own; equipment: what it runs on in a sandbox
"""
