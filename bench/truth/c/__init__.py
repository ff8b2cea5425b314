"""Random C programs (``features.py``): all inputs are run (``truth.py``), and zeroin is asked (``check.py``)."""
