# Formats of other tools: decoders of our own, and the tools where they are.
EXTRA_DIST += %D%/decode.py %D%/parquet.py \
	%D%/snapshots/v1-first.good-fp.b64 \
	%D%/snapshots/v1-stacks.good-dwarf.b64 \
	%D%/snapshots/v1-sums.good-dwarf.b64 \
	%D%/snapshots/v1-contexts.good-dwarf.b64
export_tests = %D%/contexts.t %D%/hostile.t %D%/snapshot.t \
	%D%/snapshot-again.t %D%/snapshot-ends.t
number_exports = %D%/totals.t %D%/consumers.t %D%/snapshot-says.t %D%/fleet.t \
	%D%/duckdb.t %D%/outside.t
plain_tests += $(number_exports)
# What a snapshot says, read again in each form.
plain_export_tests = %D%/kept.t %D%/labels.t %D%/snapshot-frames.t %D%/snapshot-read.t
dist_check_SCRIPTS += $(export_tests) $(number_exports) $(plain_export_tests)
TESTS += $(export_tests)
if !SANITIZED
TESTS += $(plain_export_tests)
endif
thorough_tests += %D%/hostile.t %D%/snapshot.t
