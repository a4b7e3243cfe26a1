libcoldperf_a_SOURCES += \
	%D%/demangle.c %D%/demangle.h %D%/go.c %D%/haskell.c %D%/java.c %D%/languages.h \
	%D%/llvm.c %D%/ocaml.c %D%/overload.c %D%/runtimes.c
