"""Settings of linear algebra and numpy that give the same numbers on every processor.

Both choose their routines by what the processor can do, and routines differ in the last digit. Mostly that
is of no account, but a rank test of values that differ by rounding alone turns it into another z. The
settings must be in the environment before numpy is imported; they change no number on the oldest processors
with 64 bits, and cost little time on others.
"""

SETTINGS = {
    # On several threads sums are taken in another order.
    "OPENBLAS_NUM_THREADS": "1",
    "OMP_NUM_THREADS": "1",
    "OPENBLAS_CORETYPE": "Prescott",
    "NPY_DISABLE_CPU_FEATURES": "X86_V3 X86_V4 AVX512_ICL AVX512_SPR",
}
