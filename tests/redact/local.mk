# Redaction: secrets planted everywhere, and looked for everywhere.
check_PROGRAMS += %D%/scan
TESTS += %D%/scan
EXTRA_DIST += %D%/plant.py %D%/dig.py %D%/scratch.py
hostile_redact_tests = %D%/jitdump.t %D%/leak.t %D%/random.t
redact_tests = %D%/code.t %D%/functions.t %D%/mangled.t \
	%D%/merged.t %D%/newer.t %D%/payload.t %D%/policy.t \
	%D%/same.t %D%/several.t %D%/sources.t %D%/users.t
dist_check_SCRIPTS += $(hostile_redact_tests) $(redact_tests)
TESTS += $(hostile_redact_tests)
plain_tests += $(redact_tests)
thorough_tests += %D%/jitdump.t %D%/random.t
