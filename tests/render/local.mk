# Tests of this folder; see tests/local.mk.
render_sample = %D%/sample.c %D%/sample.h

# Renders reports made by hand, for tests in other languages.
check_PROGRAMS += %D%/write-sample
%C%_write_sample_SOURCES = %D%/write-sample.c $(render_sample)
