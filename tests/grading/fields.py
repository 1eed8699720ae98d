"""The names in the reports that other programs read, in their order."""

FIELDS = """
    competition_id score gold_threshold silver_threshold bronze_threshold median_threshold any_medal gold_medal
    silver_medal bronze_medal above_median submission_exists valid_submission is_lower_better created_at
    submission_path
""".split()


TOTALS = """
    total_runs total_runs_with_submissions total_valid_submissions total_medals total_gold_medals
    total_silver_medals total_bronze_medals total_above_median competition_reports
""".split()
