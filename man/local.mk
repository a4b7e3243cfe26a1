# Manual pages, in mdoc.  Their examples are run by tests/man/examples.t.
dist_man_MANS += \
	%D%/coldperf.1 \
	%D%/coldperf-dump.1 \
	%D%/coldperf-flame.1 \
	%D%/coldperf-hotspots.1 \
	%D%/coldperf-info.1 \
	%D%/coldperf-list.1 \
	%D%/coldperf-quality.1 \
	%D%/coldperf-report.1 \
	%D%/coldperf-script.1 \
	%D%/coldperf-diagnostics.7
