libcoldperf_a_SOURCES += \
	%D%/brief-part.c %D%/brief-part.h %D%/chain-ends.c %D%/chain-ends.h %D%/lost-callers.c \
	%D%/lost-callers.h %D%/thresholds.c \
	%D%/thresholds.def %D%/thresholds.h
