coldperf_SOURCES += \
	%D%/again.c %D%/brief.c %D%/check.c %D%/filter.c %D%/filter.h %D%/miss.c %D%/miss.h %D%/none.c \
	%D%/parts.c %D%/payload.c %D%/payload.h %D%/told.c
