# %D%: see docs/ARCHITECTURE.md
