# Recorded captures: one folder per case, with PROVENANCE; see record.sh.
# tests/lint/corpus.t checks that every case is listed here.
EXTRA_DIST += %D%/record.sh \
	%D%/workloads/known.c %D%/workloads/jit.c \
	%D%/bad-killed \
	%D%/good-buildid-mmap \
	%D%/good-clock \
	%D%/good-directory \
	%D%/good-dwarf \
	%D%/good-events \
	%D%/good-fp \
	%D%/good-group \
	%D%/good-jit \
	%D%/good-nochain \
	%D%/good-period \
	%D%/good-pipe \
	%D%/good-sched \
	%D%/good-switch \
	%D%/good-syscalls \
	%D%/good-system \
	%D%/good-tracepoints \
	%D%/good-zstd \
	%D%/good-zstd-pipe

# Synthetic captures: text that tests/tools/mkperf compiles; docs/mkperf.md.
EXTRA_DIST += \
	%D%/good-all-records
