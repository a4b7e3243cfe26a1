# A text's lines as C string literals, without indents, comment lines, blanks.
# Parts of a script are modules to Node; in a picture they are one function.
/^import /d
s/^export //
s/^[ 	]*//
/^\/\/ /d
/^\/\*\*/{
/\*\/./b keep
:comment
/\*\/$/!{
N
b comment
}
d
}
:keep
/^$/d
s/\\/\\\\/g
s/"/\\"/g
# What begins with these could be a trigraph of C.
s/??/?\\?/g
s/^/"/
s/$/\\n",/
