libcoldperf_a_SOURCES += \
	%D%/build.c %D%/build.h %D%/bundle-cache.c %D%/bundle-cache.h \
	%D%/bundle.c %D%/bundle.h %D%/content.c %D%/content.h \
	%D%/file-kind.c %D%/file-kind.h %D%/folder-cache.c \
	%D%/folder-cache.h %D%/folder.c %D%/folder.h %D%/index.c \
	%D%/index.h %D%/lookup.c %D%/lookup.h
