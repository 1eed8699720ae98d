"""What a task is: its declaration, the shape of a submission, its grader and its medals."""
