/**
 * The scripts that let a shell complete what is typed: each asks `noema suggest` and falls back on files. They
 * never evaluate what is typed.
 */

const BASH = `# Completion of noema for bash: source <(noema complete bash)
_noema() {
  local line
  COMPREPLY=()
  while IFS= read -r line; do
    [[ -n $line ]] && COMPREPLY+=("$line")
  done < <(noema suggest -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -o default -F _noema noema
`;

const ZSH = `#compdef noema
# Completion of noema for zsh: source <(noema complete zsh), behind compinit
_noema() {
  local -a found
  found=("\${(@f)$(noema suggest -- "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  found=(\${found:#})
  if (( \${#found} )); then compadd -a found; else _files; fi
}
compdef _noema noema
`;

const FISH = `# Completion of noema for fish: noema complete fish | source
complete -c noema -a '(noema suggest -- (commandline -opc)[2..-1] (commandline -ct) 2>/dev/null)'
`;

/** By shell. */
export const COMPLETION_SCRIPTS: { readonly [shell: string]: string } = { bash: BASH, zsh: ZSH, fish: FISH };
