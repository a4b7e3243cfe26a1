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
	%D%/bad-killed-synthetic \
	%D%/bad-pipe-headerless \
	%D%/bad-short-records \
	%D%/bad-truncated-record \
	%D%/bad-zero-size-record \
	%D%/good-all-fields \
	%D%/good-all-records \
	%D%/good-attr-104 \
	%D%/good-attr-112 \
	%D%/good-attr-120 \
	%D%/good-attr-128 \
	%D%/good-attr-136 \
	%D%/good-attr-144 \
	%D%/good-attr-64 \
	%D%/good-attr-72 \
	%D%/good-attr-80 \
	%D%/good-attr-96 \
	%D%/good-compressed \
	%D%/good-compressed2 \
	%D%/good-containers \
	%D%/good-deferred-chain \
	%D%/good-dynamic-fields \
	%D%/good-endian-big \
	%D%/good-endian-little \
	%D%/good-exec \
	%D%/good-fork \
	%D%/good-group-read \
	%D%/good-ids-by-id \
	%D%/good-ids-by-identifier \
	%D%/good-ksymbol \
	%D%/good-large \
	%D%/good-late-attrs \
	%D%/good-lbr \
	%D%/good-maps \
	%D%/good-pid-reuse \
	%D%/good-pipe-all \
	%D%/good-pipe-big \
	%D%/good-rounds \
	%D%/good-simpleperf \
	%D%/odd-attr-200 \
	%D%/odd-attr-size-zero \
	%D%/odd-aux \
	%D%/odd-guest-chain \
	%D%/odd-lost \
	%D%/odd-mixed-attrs \
	%D%/odd-names \
	%D%/odd-no-sample-id-all \
	%D%/odd-out-of-order \
	%D%/odd-pipe-trailing-text \
	%D%/odd-unknown-feature \
	%D%/odd-unknown-id \
	%D%/odd-unknown-record \
	%D%/odd-v1-72 \
	%D%/odd-v1-72-big
