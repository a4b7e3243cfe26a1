# Formats of other tools: decoders of our own, and the tools where they are.
EXTRA_DIST += %D%/decode.py %D%/parquet.py
export_tests = %D%/totals.t %D%/hostile.t %D%/consumers.t %D%/snapshot.t \
	%D%/snapshot-ends.t %D%/snapshot-read.t
dist_check_SCRIPTS += $(export_tests)
TESTS += $(export_tests)
