dist_check_SCRIPTS += %D%/decode.t %D%/marks.t %D%/policy.t
TESTS += %D%/decode.t %D%/marks.t %D%/policy.t
EXTRA_DIST += %D%/blocks.js %D%/package.json %D%/print.js %D%/states.js %D%/sums.js
