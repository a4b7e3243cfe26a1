# For hosts without coldperf.
dist_pkgdata_SCRIPTS = %D%/coldperf-capture.sh
EXTRA_DIST += %D%/pre-commit
