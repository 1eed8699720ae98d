"""Container images: the base that every job finds, agents' images on top, and where a base comes from offline.

An image is named by what went into it, so the same command finds it again and a change makes another one.
"""
