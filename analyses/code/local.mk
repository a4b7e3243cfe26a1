libcoldperf_a_SOURCES += \
	%D%/families.c %D%/families.h %D%/ranges.c %D%/roles.c %D%/roles.def %D%/roles.h
