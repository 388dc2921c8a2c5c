# The one build list of hook features: each entry F has kernels/F/, torch_ext/ops/F.cpp,
# hooks/F.py, tests/kernels/F_test.cpp and bench/ops/F.py. The names are those of
# runtime/core/features.cpp. A feature that is not listed is reported as `not_built`.
set(HYPERACC_OPERATORS)
