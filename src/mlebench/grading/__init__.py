"""What a submission was worth: reading it, judging it, and the reports that other programs read."""
