# The browser in the terminal: what it counts, and what it shows in tmux.
check_PROGRAMS += %D%/test-model
TESTS += %D%/test-model
%C%_test_model_SOURCES = %D%/test-model.c
dist_check_SCRIPTS += %D%/browse.t
TESTS += %D%/browse.t
