"""The coverage of a C or C++ suite as gcov counts it."""
