libcoldperf_a_SOURCES += \
	%D%/arm-code.c %D%/arm.c %D%/arm.h %D%/disasm.c %D%/disasm.h \
	%D%/libcapstone.c %D%/libcapstone.h %D%/thumb-code.c \
	%D%/x86-length.c %D%/x86-length.h
