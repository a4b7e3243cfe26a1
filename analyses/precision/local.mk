libcoldperf_a_SOURCES += \
	%D%/apart.c %D%/apart.h %D%/dispersion.c %D%/dispersion.h \
	%D%/precision.c %D%/precision.h %D%/rows.c %D%/rows.h \
	%D%/seen.c %D%/seen.h %D%/typical.c %D%/typical.h
