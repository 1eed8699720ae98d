"""Watching a running job: what it prints, what it uses, and how it ends.

supervisor       starts the job, watches it to its end, kills what is left
  launch         what a sandbox hands over
  session        the messages of the job's first process (channel, messages)
  output         the job's log
  termination    SIGTERM, and the grace period after it
  monitor        measures the job (memory_meter, disk_meter) and has limit_checks judge what was measured
  job_processes  list, signal and kill the processes of the job
  conclusion     decides how the job ended
"""
