"""From a submission file to a verdict: reading it safely, checking its form, scoring it, reporting the result."""
