# fish completion for execcomp
function __execcomp_offers
  set -l words (commandline -opc) (commandline -ct)
  set -l offers ($words[1] complete -- $words[2..-1] 2>/dev/null)
  if test "$offers[1]" = :files
    __fish_complete_path (commandline -ct)
  else
    printf '%s\n' $offers
  end
end
complete -c execcomp -f -a '(__execcomp_offers)'
