"""Settings of linear algebra and numpy that give the same numbers on every processor.

Both choose their routines by the capabilities of the processor, and the routines differ in the last digit.
This rarely matters, but in a rank test of values that differ only by rounding it changes z. The settings
must be in the environment before numpy is imported; they change no number on the oldest 64-bit processors,
and cost little time on others.
"""

SETTINGS = {
    # With several threads, sums are taken in a different order.
    "OPENBLAS_NUM_THREADS": "1",
    "OMP_NUM_THREADS": "1",
    "OPENBLAS_CORETYPE": "Prescott",
    "NPY_DISABLE_CPU_FEATURES": "X86_V3 X86_V4 AVX512_ICL AVX512_SPR",
}
