# Bundles: packed here, read elsewhere.
bundle_tests = %D%/away.t %D%/capture-sh.t %D%/hostile.t %D%/wrong.t \
	%D%/objects.t %D%/index.t %D%/trust.t %D%/split.t %D%/kept.t %D%/unwound.t \
	%D%/lacks.t %D%/packed.t
dist_check_SCRIPTS += $(bundle_tests)
TESTS += $(bundle_tests)
dist_check_SCRIPTS += %D%/languages.t
nightly_tests += %D%/languages.t
thorough_tests += %D%/away.t
recording_tests += %D%/languages.t $(filter-out %D%/hostile.t %D%/lacks.t %D%/packed.t,$(bundle_tests))
EXTRA_DIST += %D%/root.sh %D%/compare.py contrib/coldperf-capture.sh
