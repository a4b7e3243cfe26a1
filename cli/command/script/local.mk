coldperf_SOURCES += \
	%D%/columns.c %D%/columns.h %D%/fields.c %D%/fields.h %D%/frames.c \
	%D%/frames.h %D%/script.c
