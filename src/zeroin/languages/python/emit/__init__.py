"""Tests in Python, for pytest."""
