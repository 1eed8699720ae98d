"""A research agent after the scaffold of MLAgentBench, with nothing but the standard library.

agent      the loop: one answer, one action, one observation a step
texts      what the model is told
answer     reading the six sections; arguments: reading the action's input
actions    the table of tools
files      the work folder, which no path leaves; scripts: running and editing; reading: summaries by the model
history    the steps that the model is shown, and the research log
kept       what the run keeps: submission, code, logs
"""
