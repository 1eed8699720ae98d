"""What is asked: the declaration of a task, the shape of a submission, its grader and its medals."""
