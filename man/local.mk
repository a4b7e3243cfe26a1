# Manual pages, in mdoc.  Their examples are run by tests/man/examples.t.
dist_man_MANS += \
	%D%/coldperf.1 %D%/coldperf-advise.1 %D%/coldperf-capture.1 %D%/coldperf-run.1 \
	%D%/coldperf-annotate.1 \
	%D%/coldperf-branches.1 \
	%D%/coldperf-check.1 \
	%D%/coldperf-cpi.1 \
	%D%/coldperf-diff.1 \
	%D%/coldperf-mem.1 \
	%D%/coldperf-dump.1 \
	%D%/coldperf-flame.1 \
	%D%/coldperf-hotspots.1 \
	%D%/coldperf-info.1 \
	%D%/coldperf-list.1 \
	%D%/coldperf-names.1 \
	%D%/coldperf-profile.1 \
	%D%/coldperf-quality.1 \
	%D%/coldperf-selftest.1 \
	%D%/coldperf-redact.1 \
	%D%/coldperf-repair.1 %D%/coldperf-report.1 \
	%D%/coldperf-sched.1 \
	%D%/coldperf-script.1 \
	%D%/coldperf-browse.1 \
	%D%/coldperf-sql.1 \
	%D%/coldperf-timeline.1 \
	%D%/coldperf-unwind.1 \
	%D%/coldperf-symbols.1 \
	%D%/coldperf-diagnostics.7 \
	%D%/coldperf-exports.7 \
	%D%/coldperf-plugin.7

dist_man_MANS += %D%/coldperf-stat.1

# Waits.
dist_man_MANS += %D%/coldperf-blockio.1 %D%/coldperf-critical.1 %D%/coldperf-explain.1 %D%/coldperf-faults.1 \
	%D%/coldperf-locks.1 %D%/coldperf-offcpu.1 %D%/coldperf-pair.1 \
	%D%/coldperf-syscalls.1 %D%/coldperf-wall.1

# Bundles.
dist_man_MANS += %D%/coldperf-pack.1 %D%/coldperf-unpack.1 \
	%D%/coldperf-verify.1 %D%/coldperf-snapshot.1 %D%/coldperf-merge.1
