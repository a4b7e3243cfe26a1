libcoldperf_a_SOURCES += \
	%D%/ranges.c %D%/ranges.h %D%/roles.c %D%/roles.def %D%/roles.h
