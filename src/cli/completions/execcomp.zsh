#compdef execcomp
_execcomp() {
  local -a lines offers
  lines=("${(@f)$($words[1] complete -- "${(@)words[2,CURRENT]}" 2>/dev/null)}")
  if [[ $lines[1] == :files ]]; then _files; return; fi
  local line
  for line in $lines; do offers+=("${${line%%$'\t'*}//:/\\:}:${line#*$'\t'}"); done
  (( $#offers )) && _describe execcomp offers
}
# Found by its name in $fpath, or sourced.
if [ "$funcstack[1]" = _execcomp ]; then _execcomp "$@"; else compdef _execcomp execcomp; fi
