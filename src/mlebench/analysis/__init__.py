"""What runs mean: from the folders of run groups to statistics, tables and a page.

    groups      read what runs left on disk
    results     one flat result a run, over all groups
    statistics  formulas
    report      the content of `report.json`: agents and competitions
    summary     from groups to that content
    caveats     what a reader must know before trusting the numbers
    marks       one letter for how a run came out
    tables      the terminal
    page        one HTML file

The functions to start from are `groups.read_groups` and `summary.summarize`.
"""
