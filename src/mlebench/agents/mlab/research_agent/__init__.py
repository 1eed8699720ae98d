"""A research agent after the scaffold of MLAgentBench, written with the standard library only.

agent      the loop: one answer, one action and one observation per step
texts      the prompt of each step
answer     parses the six sections of an answer; arguments: parses the input of an action
actions    the table of tools
files      the work folder, which no path leaves; scripts: runs scripts; reading: summaries and edits by the model
history    the steps that the model sees, and the research log
outputs    what the run keeps: submission, code, logs
"""
