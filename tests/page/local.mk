dist_check_SCRIPTS += %D%/decode.t
TESTS += %D%/decode.t
EXTRA_DIST += %D%/blocks.js %D%/package.json %D%/sums.js
