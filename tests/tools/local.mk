# Tools that tests use: mkperf writes captures from text, damage spoils them.
# Neither shares code with readers/: they are there to check it.
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
	%D%/mkperf-zstd.c
%C%_mkperf_LDADD = $(CP_LIBS)

check_PROGRAMS += %D%/damage
%C%_damage_SOURCES = \
	%D%/damage.c %D%/damage.h \
	%D%/damage-kinds.c \
	%D%/damage-moves.c \
	%D%/damage-walk.c
%C%_damage_LDADD = $(CP_LIBS)

# What a wrong size of a record does, tried in one process.
check_PROGRAMS += %D%/sizes
%C%_sizes_SOURCES = %D%/sizes.c %D%/damage-walk.c %D%/damage.h
