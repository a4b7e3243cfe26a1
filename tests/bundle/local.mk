# Bundles: packed here, read elsewhere.
bundle_tests = %D%/away.t %D%/hostile.t %D%/wrong.t %D%/objects.t %D%/index.t \
	%D%/trust.t %D%/split.t %D%/lacks.t %D%/packed.t
# A shell script, and what others say of the same stacks.
plain_bundle_tests = %D%/capture-sh.t %D%/kept.t %D%/unwound.t
dist_check_SCRIPTS += $(bundle_tests) $(plain_bundle_tests)
TESTS += $(bundle_tests)
if !SANITIZED
TESTS += $(plain_bundle_tests)
endif
dist_check_SCRIPTS += %D%/languages.t
nightly_tests += %D%/languages.t
thorough_tests += %D%/away.t
recording_tests += %D%/languages.t $(plain_bundle_tests) $(filter-out %D%/hostile.t %D%/lacks.t %D%/packed.t,$(bundle_tests))
EXTRA_DIST += %D%/root.sh %D%/compare.py contrib/coldperf-capture.sh
