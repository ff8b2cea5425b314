"""Measure the coverage of a C or C++ suite with gcov."""
