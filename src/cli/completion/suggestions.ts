/**
 * What a shell may complete: commands, options and the choices of a value. Where it suggests nothing,
 * the shell suggests files.
 */

import type { Command, Option } from "commander";

/**
 * The words that fit what has been typed.
 *
 * @param program all commands
 * @param words what has been typed behind the program's name; the last one, maybe empty, is to be completed
 */
export function suggestions(program: Command, words: readonly string[]): string[] {
  const typed = words.slice(0, -1);
  const command = reached(program, typed);
  const awaiting = optionNamed(command, typed.at(-1));
  const found = awaiting === undefined ? wordsOf(command, words.at(-1) ?? "") : (awaiting.argChoices ?? []);
  return found.filter((word) => word.startsWith(words.at(-1) ?? ""));
}

/** The command that words lead to. What belongs to options is passed over. */
function reached(program: Command, words: readonly string[]): Command {
  let command = program;
  for (const word of words) command = command.commands.find((one) => one.name() === word) ?? command;
  return command;
}

/** The option that a word names, if a value has to follow. */
function optionNamed({ options }: Command, word: string | undefined): Option | undefined {
  return options.find((option) => option.required && word !== undefined && [option.long, option.short].includes(word));
}

function wordsOf(command: Command, current: string): string[] {
  if (current.startsWith("-")) return [...command.options.flatMap(({ long }) => long ?? []), "--help"];
  const choices = command.registeredArguments.flatMap(({ argChoices }) => argChoices ?? []);
  return [...command.commands.map((one) => one.name()).filter((name) => name !== "suggest"), ...choices];
}
