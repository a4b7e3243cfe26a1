libcoldperf_a_SOURCES += \
	%D%/bundle-cache.c %D%/bundle-cache.h %D%/bundle.c %D%/file-kind.c \
	%D%/folder-cache.c %D%/folder-cache.h %D%/folder.c %D%/index.c \
	%D%/index.h
