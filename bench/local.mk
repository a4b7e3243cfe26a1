# Not built by `make`: `make bench BENCH_FOLDER=FOLDER` builds and runs them.
EXTRA_PROGRAMS += %D%/floor %D%/measure %D%/multiply %D%/symtab \
	%D%/workload %D%/unwind
bench_floor_SOURCES = %D%/floor.c %D%/capture.h
bench_floor_LDADD =
bench_measure_SOURCES = %D%/measure.c
bench_measure_LDADD =
bench_multiply_SOURCES = %D%/multiply.c %D%/capture.h
bench_multiply_LDADD =
bench_symtab_SOURCES = %D%/symtab.c
bench_symtab_LDADD = $(CP_LIBS)
bench_unwind_SOURCES = %D%/unwind.c tests/unwind/replay.c tests/unwind/replay.h
bench_unwind_LDADD = $(CP_LIBS)
bench_workload_SOURCES = %D%/workload.c
bench_workload_CFLAGS = $(AM_CFLAGS) -fno-omit-frame-pointer \
	-fno-optimize-sibling-calls -pthread
bench_workload_LDADD =
EXTRA_DIST += \
	%D%/BROWSE.md \
	%D%/CHECK.md \
	%D%/COVERAGE.md \
	%D%/EXPORTS.md \
	%D%/FLEET.md \
	%D%/INLINES.md \
	%D%/INSTRUCTIONS.md \
	%D%/INTERVALS.md \
	%D%/LIVE.md \
	%D%/PAGE.md \
	%D%/RESULTS.md \
	%D%/SCHED.md \
	%D%/UNWIND.md \
	%D%/browse.py \
	%D%/diff-live.py \
	%D%/exports/get.sh %D%/exports/otlp.go \
	%D%/exports/trace-processor.mjs \
	%D%/inlines.py \
	%D%/intervals.sh \
	%D%/kinds.sh \
	%D%/page-capture.py \
	%D%/page.js \
	%D%/page.sh \
	%D%/run.sh \
	%D%/sched.sh \
	%D%/statistics.md \
	%D%/unwind.sh \
	%D%/waits.sh
CLEANFILES += $(EXTRA_PROGRAMS)

BENCH_FOLDER = bench-captures
BENCH_RUNS = 3

bench: coldperf tests/tools/mkperf bench/floor bench/measure bench/multiply
	CC='$(CC)' $(srcdir)/bench/kinds.sh $(BENCH_FOLDER)
	$(srcdir)/bench/run.sh $(BENCH_FOLDER) $(BENCH_RUNS)
.PHONY: bench

# Remakes bench/statistics.md: half an hour.
STATISTICS_PAIRS = 200
STATISTICS_SEED = 12
bench-statistics: coldperf
	COLDPERF=./coldperf $(srcdir)/tests/analyses/simulate.py \
		--pairs $(STATISTICS_PAIRS) \
		--seed $(STATISTICS_SEED) >statistics.new
	mv statistics.new $(srcdir)/bench/statistics.md
.PHONY: bench-statistics
