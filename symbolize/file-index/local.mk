libcoldperf_a_SOURCES += \
	%D%/build.c %D%/bundle-cache.c %D%/bundle-cache.h \
	%D%/bundle.c %D%/content.c %D%/content.h \
	%D%/file-kind.c %D%/file-kind.h %D%/folder-cache.c \
	%D%/folder-cache.h %D%/folder.c %D%/index.c \
	%D%/index.h %D%/lookup.c %D%/lookup.h
