libcoldperf_a_SOURCES += \
	%D%/file-map.c %D%/file-map.h %D%/recorded-file.c \
	%D%/recorded-file.h
