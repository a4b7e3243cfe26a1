libcoldperf_a_SOURCES += \
	%D%/elf-symbols.c %D%/files.c %D%/files.h %D%/kernel-symbols.c \
	%D%/object.c %D%/object.h %D%/text-files.c %D%/text-files.h \
	%D%/verify.c
