"""docs/comparison.md: stepscope's figures beside those of HolisticTraceAnalysis and the TensorBoard plugin.

The recordings and both tools' outputs lie beside the repository. ``scripts/update_comparison`` writes the page's tables
from them, ``tests/test_comparison_page.py`` checks that the page is still true. What differs has a reason, written in
the modules of questions, and most reasons are proved: `recomputed_hta` and `recomputed_plugin` compute the other tool's
figure anew from the trace, reading it the way the reason says.
"""
