"""Studies of the benchmark itself.

alignment  whether results on the splits here agree with results on Kaggle's own
record     the content of `alignment.json`
agreement  statistics of such a study
findings   its results as a table and in sentences
"""
