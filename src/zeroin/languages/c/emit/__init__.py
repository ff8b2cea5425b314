"""Tests in C and C++: with no framework, or for GoogleTest, Unity or CMocka."""
