/**
 * `noema complete`: prints the script with which a shell completes commands, options and their values. If the script
 * suggests nothing, the shell suggests files.
 */

import { Argument, type Command, type Option } from "commander";
import type { Context } from "../../terminal/context";

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

/** The scripts, by shell. Each calls `noema suggest` and falls back on files. They never evaluate what is typed. */
const COMPLETION_SCRIPTS: { readonly [shell: string]: string } = { bash: BASH, zsh: ZSH, fish: FISH };

/** Adds the command, and the hidden one that the scripts call. */
export function addComplete(program: Command, { output }: Context): void {
  const shells = new Argument("<shell>", "the shell").choices(Object.keys(COMPLETION_SCRIPTS));
  program
    .command("complete")
    .description("Print the script that lets a shell complete commands and options.")
    .addArgument(shells)
    .action((shell: string) => output.write(COMPLETION_SCRIPTS[shell] ?? ""));
  program
    .command("suggest", { hidden: true })
    .argument("[words...]", "what has been typed; the last word is to be completed")
    .action((words: string[]) =>
      output.write(
        suggestions(program, words)
          .map((word) => `${word}\n`)
          .join(""),
      ),
    );
}

/**
 * The words that fit what has been typed.
 *
 * @param program all commands
 * @param words what has been typed behind the program's name; the last one, maybe empty, is to be completed
 */
function suggestions(program: Command, words: readonly string[]): string[] {
  const typed = words.slice(0, -1);
  const command = reached(program, typed);
  const awaiting = optionNamed(command, typed.at(-1));
  const found = awaiting === undefined ? wordsOf(command, words.at(-1) ?? "") : (awaiting.argChoices ?? []);
  return found.filter((word) => word.startsWith(words.at(-1) ?? ""));
}

/** The command that the words lead to, skipping options and their values. */
function reached(program: Command, words: readonly string[]): Command {
  let command = program;
  for (const word of words) command = command.commands.find((one) => one.name() === word) ?? command;
  return command;
}

/** The option that a word names, if it needs a value. */
function optionNamed({ options }: Command, word: string | undefined): Option | undefined {
  return options.find((option) => option.required && word !== undefined && [option.long, option.short].includes(word));
}

function wordsOf(command: Command, current: string): string[] {
  if (current.startsWith("-")) return [...command.options.flatMap(({ long }) => long ?? []), "--help"];
  const choices = command.registeredArguments.flatMap(({ argChoices }) => argChoices ?? []);
  return [...command.commands.map((one) => one.name()).filter((name) => name !== "suggest"), ...choices];
}
