# Tests of this folder; see tests/local.mk.
render_sample = %D%/sample.c %D%/sample-profile.c %D%/sample.h

# Renders reports made by hand, for tests in other languages.
check_PROGRAMS += %D%/write-sample
%C%_write_sample_SOURCES = %D%/write-sample.c $(render_sample)

check_PROGRAMS += %D%/test-escape %D%/test-text %D%/test-folded %D%/test-list
check_PROGRAMS += %D%/test-names %D%/test-language %D%/test-stream
TESTS += %D%/test-escape %D%/test-text %D%/test-folded %D%/test-list
TESTS += %D%/test-names %D%/test-language %D%/test-stream
%C%_test_names_SOURCES = %D%/test-names.c %D%/names.def
%C%_test_language_SOURCES = %D%/test-language.c
%C%_test_stream_SOURCES = %D%/test-stream.c $(render_sample)
%C%_test_text_SOURCES = %D%/test-text.c $(render_sample)
%C%_test_folded_SOURCES = %D%/test-folded.c $(render_sample)
%C%_test_list_SOURCES = %D%/test-list.c $(render_sample)

dist_check_SCRIPTS += %D%/formats.t %D%/names.t %D%/palette.t
TESTS += %D%/formats.t
plain_tests += %D%/names.t %D%/palette.t
