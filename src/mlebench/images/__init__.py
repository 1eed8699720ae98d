"""Container images: the base image of all jobs, images of agents on top, and base images without a registry.

An image is named after a digest of its inputs, so the same command finds it again, and a change makes a new image.
"""
