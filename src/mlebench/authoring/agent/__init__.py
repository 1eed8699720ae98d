"""New agents: write the folder of one, and check it before it runs.

make       write the folder, from template/
check      check an agent: its folder first, then a rehearsal
rehearsal  one short run of a demo competition with a scripted model; script: what that model says
findings   what a folder or a rehearsal shows to be wrong
"""

from mlebench.authoring.agent.check import AgentCheck, check_agent
from mlebench.authoring.agent.findings import Finding
from mlebench.authoring.agent.make import make_agent

__all__ = ["AgentCheck", "Finding", "check_agent", "make_agent"]
