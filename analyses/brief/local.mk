libcoldperf_a_SOURCES += \
	%D%/branches.c %D%/branches.h %D%/busy.c %D%/busy.h \
	%D%/faults.c %D%/faults.h %D%/host.c %D%/host.h \
	%D%/modes.c %D%/modes.h \
	%D%/parts.c %D%/parts.h
