export type Shell = 'bash' | 'zsh' | 'fish';

/**
 * What a shell needs. The shells ask `plug complete` at each Tab and do the quoting themselves:
 * nothing that comes back is ever evaluated.
 */
export const scripts: Readonly<Record<Shell, string>> = {
  // Bash breaks words at = and :, so the word is put together again, and its first part left out
  // of what is inserted. No feature newer than bash 3.2, which is what macOS has.
  bash: `# Completion of plug for bash. Put into ~/.bashrc:  eval "$(plug completion bash)"
_plug_complete() {
  local rest="$COMP_LINE" word bare index last=-1 value description quoted typed strip
  local -a words
  for ((index = 0; index <= COMP_CWORD; index++)); do
    word="\${COMP_WORDS[index]}"
    bare="\${rest#"\${rest%%[![:space:]]*}"}"
    if ((last >= 0)) && [[ "$bare" == "$rest" && -n "$word" ]]; then
      words[last]="\${words[last]}$word"
    else
      last=$((last + 1))
      words[last]="$word"
    fi
    rest="\${bare#"$word"}"
  done
  typed="\${words[last]}"
  word="\${COMP_WORDS[COMP_CWORD]}"
  case "$word" in '=' | ':') word='' ;; esac
  strip=$((\${#typed} - \${#word}))
  COMPREPLY=()
  while IFS=$'\\t' read -r value description; do
    if [[ "$value" == ':files' ]]; then
      compopt -o default 2>/dev/null
      while IFS= read -r value; do COMPREPLY+=("$value"); done < <(compgen -f -- "$word")
      compopt -o filenames 2>/dev/null
      continue
    fi
    value="\${value:strip}"
    case "$value" in *=) compopt -o nospace 2>/dev/null ;; esac
    printf -v quoted '%q' "$value"
    COMPREPLY+=("$quoted")
  done < <(plug complete --shell bash -- "\${words[@]:1}" 2>/dev/null)
}
complete -F _plug_complete plug
`,
  zsh: `#compdef plug
# Completion of plug for zsh. Put into ~/.zshrc, after compinit:  eval "$(plug completion zsh)"
_plug() {
  local value description files=0
  local -a values shown open_values open_shown
  while IFS=$'\\t' read -r value description; do
    if [[ "$value" == ':files' ]]; then
      files=1
    elif [[ "$value" == *= ]]; then
      open_values+=("$value")
      open_shown+=("$value\${description:+  $description}")
    else
      values+=("$value")
      shown+=("$value\${description:+  $description}")
    fi
  done < <(plug complete --shell zsh -- "\${(@Q)words[2,$CURRENT]}" 2>/dev/null)
  (( \${#values} )) && compadd -l -d shown -a values
  (( \${#open_values} )) && compadd -S '' -l -d open_shown -a open_values
  (( files )) && _files
  return 0
}
if [[ "\${funcstack[1]}" == _plug ]]; then
  _plug "$@"
else
  compdef _plug plug
fi
`,
  fish: `# Completion of plug for fish:  plug completion fish > ~/.config/fish/completions/plug.fish
function __plug_complete
  set -l words (commandline -opc)
  set -e words[1]
  set -l current (commandline -ct)
  set -l found (plug complete --shell fish -- $words "$current" 2>/dev/null)
  if test (count $found) -gt 0; and test "$found[1]" = ':files'
    set -e found[1]
    __fish_complete_path "$current"
  end
  if test (count $found) -gt 0
    printf '%s\\n' $found
  end
end
complete -c plug -e
complete -c plug -f -a '(__plug_complete)'
`,
};

/** Where the script belongs, said beside it. */
export const places: Readonly<Record<Shell, string>> = {
  bash: 'Add this to ~/.bashrc:  eval "$(plug completion bash)"',
  zsh: 'Add this to ~/.zshrc, after compinit:  eval "$(plug completion zsh)"',
  fish: 'Type:  plug completion fish > ~/.config/fish/completions/plug.fish',
};
