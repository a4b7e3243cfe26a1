libcoldperf_a_SOURCES += \
	%D%/between.c %D%/between.h %D%/blocked.c %D%/callers.c %D%/cells.h \
	%D%/compare.c %D%/coverage.c %D%/coverage.h %D%/diff.h \
	%D%/dispersion.c %D%/dispersion.h %D%/family.c %D%/family.h \
	%D%/gate.c %D%/headline.c %D%/homogeneity.c %D%/levels.c \
	%D%/pairing.c %D%/paths.c %D%/profile.c %D%/profile.h \
	%D%/remarks.c %D%/renamed.c %D%/rules.c %D%/show.c %D%/spread.c %D%/statistics.c \
	%D%/statistics.h %D%/stem.c %D%/totals.c %D%/tree.c %D%/tree.h \
	%D%/unit.c %D%/verdicts.c %D%/versions.c %D%/versions.h %D%/waits.c \
	%D%/waits.h %D%/weights.c %D%/witnesses.c
