libcoldperf_a_SOURCES += \
	%D%/names.c %D%/names.h %D%/paths.c %D%/paths.h %D%/policy.c \
	%D%/policy.h
