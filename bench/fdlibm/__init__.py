"""The evaluation of "Mathematical Execution" (Fu and Su, 2016) on fdlibm, repeated."""
