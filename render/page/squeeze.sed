# Takes the blanks around signs out of a script's lines, and types and remarks
# within them.
# Lines with other than simple strings stay: a blank in those is no blank.
s/\/\*\* @type {[^}]*} \*\/ *//g
s/\([;{},]\)  *\/\/ [^'"`]*$/\1/
/["`/\\]/b
/'/!{
s/ *\([][(){}<>=!&|,;:?*%^]\) */\1/g
s/\([^-+ ]\) *\([-+]\) *\([^-+ ]\)/\1\2\3/g
b
}
:before
s/^\(\([^']*'[^']*'\)*[^']*[^' 	]\) \{1,\}\([][(){}<>=!&|,;:?*%^+]\)/\1\3/
t before
s/^\(\([^']*'[^']*'\)\{1,\}\) \{1,\}\([][(){}<>=!&|,;:?*%^+]\)/\1\3/
t before
:after
s/^\(\([^']*'[^']*'\)*[^']*[][(){}<>=!&|,;:?*%^+]\) \{1,\}/\1/
t after
