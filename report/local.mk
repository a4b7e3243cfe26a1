libcoldperf_a_SOURCES += \
	%D%/captures.c %D%/charts.c %D%/guesses.c %D%/origin.h %D%/report.c %D%/report.h %D%/section.c \
	%D%/section.h %D%/profile.c %D%/profile.h %D%/shares.c %D%/table.c %D%/table.h %D%/texts.c %D%/value.h %D%/whole.c
