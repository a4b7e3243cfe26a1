# Tools that tests use: mkperf writes captures from text, damage spoils them.
# Neither shares code with readers/: they are there to check it.
# Hundreds of their processes run, so they have no sanitizers.
tool_base = base/buf.c base/hash.c base/mem.c base/port-linux.c base/strings.c
tool_cflags = -std=gnu17 -fvisibility=hidden $(WARN_CFLAGS) $(ZSTD_CFLAGS)
check_PROGRAMS += %D%/mkperf
%C%_mkperf_SOURCES = \
	%D%/mkperf.c %D%/mkperf.h \
	%D%/mkperf-args.c \
	%D%/mkperf-attr.c \
	%D%/mkperf-feature.c %D%/mkperf-features.def \
	%D%/mkperf-file.c \
	%D%/mkperf-put.c \
	%D%/mkperf-record.c %D%/mkperf-records.def \
	%D%/mkperf-sample.c \
	%D%/mkperf-text.c \
	%D%/mkperf-zstd.c \
	$(tool_base)
%C%_mkperf_CFLAGS = $(tool_cflags)
%C%_mkperf_LDFLAGS =
%C%_mkperf_LDADD = $(ZSTD_LIBS)

check_PROGRAMS += %D%/damage
%C%_damage_SOURCES = \
	%D%/damage.c %D%/damage.h \
	%D%/damage-kinds.c \
	%D%/damage-moves.c \
	%D%/damage-walk.c \
	$(tool_base)
%C%_damage_CFLAGS = $(tool_cflags)
%C%_damage_LDFLAGS =
%C%_damage_LDADD = $(ZSTD_LIBS)

# What a wrong size of a record does, tried in one process.
check_PROGRAMS += %D%/sizes
%C%_sizes_SOURCES = %D%/sizes.c %D%/damage-walk.c %D%/damage.h
