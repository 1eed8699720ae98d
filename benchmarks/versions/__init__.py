"""The study of how far an agent that exploits leaks gets in v1 and in v2."""
