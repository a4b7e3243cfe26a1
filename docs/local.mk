# %D%: see docs/ARCHITECTURE.md
EXTRA_DIST += %D%/mkperf.md
