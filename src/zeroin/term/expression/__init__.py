"""The expression language: conditions that people write as Python expressions become terms."""
