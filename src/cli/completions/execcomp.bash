# bash completion for execcomp
_execcomp() {
  local IFS=$'\n' current="${COMP_WORDS[COMP_CWORD]}" offers
  offers=$("${COMP_WORDS[0]}" complete -- "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
  if [ "$offers" = :files ]; then
    compopt -o filenames 2>/dev/null
    COMPREPLY=($(compgen -f -- "$current"))
  else
    COMPREPLY=($(compgen -W "$(cut -f 1 <<<"$offers")" -- "$current"))
  fi
}
complete -F _execcomp execcomp
