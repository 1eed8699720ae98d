"""What runs mean: from run groups and grading reports to statistics, tables and pages.

report           the public door: `report`, and `Report` with tables, data frames and files
sources          reading run groups, and grading reports of any harness (`grading_reports`)
model/           the content of `report.json`
summary          from sources to that content, in these steps:
  results          one result per run
  standings        the leaderboards that runs are ranked on
  facts            properties of competitions
  evaluation       which runs enter the means; the evidence that all further steps take
  rates            the main table, from `estimates` of means
  breakdowns, comparisons, curves, tasks, problems
  caveats          what a reader must know before trusting the numbers
statistics/      formulas
outcomes         one symbol for the outcome of a run
tables/          tables in any format
page/            one HTML file for a report, and one for each run
live/            the same, served during the runs
studies/         studies of the benchmark itself
"""
