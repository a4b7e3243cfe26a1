# A text's lines as C string literals, without indents, comment lines, blanks.
s/^[ 	]*//
/^\/\/ /d
/^$/d
s/\\/\\\\/g
s/"/\\"/g
s/^/"/
s/$/\\n",/
