libcoldperf_a_SOURCES += \
	%D%/homogeneity.c %D%/witnesses.c %D%/between.c %D%/between.h %D%/blocked.c %D%/callers.c \
	%D%/cells.h \
	%D%/degrees.c %D%/degrees.h %D%/diff.h %D%/versions.c %D%/versions.h \
	%D%/compare.c %D%/coverage.c %D%/coverage.h %D%/family.c %D%/family.h %D%/gate.c %D%/headline.c \
	%D%/levels.c %D%/holm.c %D%/pairing.c %D%/paths.c %D%/profile.c \
	%D%/profile.h %D%/remarks.c %D%/rules.c %D%/show.c %D%/dispersion.c %D%/dispersion.h \
	%D%/spread.c %D%/spread.h %D%/statistics.c %D%/statistics.h \
	%D%/stem.c %D%/tails.c %D%/tails.h %D%/totals.c \
	%D%/tree.c %D%/tree.h %D%/unit.c %D%/verdicts.c %D%/waits.c \
	%D%/waits.h %D%/weights.c
