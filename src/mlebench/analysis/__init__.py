"""What runs mean: from run groups and grading reports to statistics, tables and a page.

    sources      what is reported on: groups (read what runs left on disk), gradings (reports in the common format)
    results      one flat result a run, over all sources
    standings    the leaderboards that results are measured against
    facts        what is known of competitions
    statistics/  formulas
    estimates    the seven columns, with their errors
    report       the content of `report.json`: agents and competitions
    counting     which runs enter the means
    summary      from sources to that content, by rates, breakdowns, comparisons, curves, tasks and problems
    caveats      what a reader must know before trusting the numbers
    marks        one letter for how a run came out
    tables/      tables for the terminal and as Markdown, LaTeX, CSV and JSON
    remains      what a run left in its folder, as much as a page shows
    page/        one HTML file, and one for each run
    live/        the same served while runs go on

The functions to start from are `sources.read_sources` and `summary.summarize`.
"""
