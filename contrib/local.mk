# For hosts without coldperf.
dist_pkgdata_SCRIPTS = %D%/coldperf-capture.sh
EXTRA_DIST += %D%/pre-commit
# The project's files for OSS-Fuzz; `check.sh --fuzz` builds with them.
EXTRA_DIST += %D%/oss-fuzz/Dockerfile %D%/oss-fuzz/build.sh \
	%D%/oss-fuzz/project.yaml
