"""Random small programs of which all inputs are run: the truth that verdicts and emitted tests are compared with.

``verdicts.py`` has the data that both languages share, ``page.py`` the tables, ``run.py`` the command line. ``c/`` and
``python/`` make programs, run all their inputs without zeroin, and ask zeroin about them.
"""
