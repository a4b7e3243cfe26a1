# Redaction: secrets planted everywhere, and looked for everywhere.
check_PROGRAMS += %D%/scan
TESTS += %D%/scan
EXTRA_DIST += %D%/plant.py %D%/dig.py %D%/scratch.py
redact_tests = %D%/code.t %D%/functions.t %D%/jitdump.t %D%/leak.t %D%/mangled.t \
	%D%/merged.t %D%/newer.t %D%/payload.t %D%/policy.t %D%/random.t \
	%D%/same.t %D%/several.t %D%/sources.t %D%/users.t
dist_check_SCRIPTS += $(redact_tests)
TESTS += $(redact_tests)
thorough_tests += %D%/jitdump.t %D%/random.t
