"""Exploration alone, beside what a user could pick instead for the same job: CrossHair for Python, angr for C."""
