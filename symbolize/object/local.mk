libcoldperf_a_SOURCES += \
	%D%/alt.c %D%/alt.h %D%/ask.c %D%/ask.h %D%/elf-symbols.c %D%/elf-symbols.h \
	%D%/files.c %D%/files.h %D%/identity.c %D%/identity.h \
	%D%/jit-files.c %D%/jit-files.h \
	%D%/kernel-symbols.c %D%/kernel-symbols.h %D%/object.c %D%/recorded.c %D%/snapshot.c %D%/snapshot.h \
	%D%/snapshot-lost.c %D%/snapshot-lost.h \
	%D%/snapshot-members.c %D%/snapshot-members.h \
	%D%/symbol-columns.c %D%/symbol-columns.h \
	%D%/object.h %D%/options.h %D%/overloads.c %D%/text-files.c %D%/text-files.h \
	%D%/verify.c %D%/verify.h
