"""Studies of the benchmark itself.

alignment  whether results on the splits here say what results on Kaggle's own would
pairs      what such a study keeps, and what it concludes
"""
