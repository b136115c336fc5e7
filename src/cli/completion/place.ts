import type { Command, Option } from 'commander';

/** Where the cursor stands in the grammar. */
export interface Place {
  readonly command: Command;
  /** `grants add`. */
  readonly path: string;
  /** Words before the cursor that are no options and no subcommands. */
  readonly operands: readonly string[];
  /** The option whose value is being typed. */
  readonly option?: Option;
  /** Behind `--`, where everything is a word of somebody else's command. */
  readonly behindDashes: boolean;
}

/** Reads the words before the cursor as the grammar would, without running anything. */
export function placeOf(program: Command, words: readonly string[]): Place {
  let command = program;
  let option: Option | undefined;
  const path: string[] = [];
  const operands: string[] = [];
  for (const [index, word] of words.entries()) {
    if (option) {
      option = undefined;
      continue;
    }
    if (word === '--') {
      operands.push(...words.slice(index + 1));
      return { command, path: path.join(' '), operands, behindDashes: true };
    }
    if (word.startsWith('-') && word !== '-') {
      const found = optionsOf(command).find((one) => one.long === word || one.short === word);
      if (found && (found.required || found.optional)) option = found;
      continue;
    }
    const child = operands.length === 0 ? childOf(command, word) : undefined;
    if (child) {
      command = child;
      path.push(child.name());
    } else operands.push(word);
  }
  return { command, path: path.join(' '), operands, behindDashes: false, ...(option ? { option } : {}) };
}

/** Its own, those of a subcommand that may be left out, and those that every command has. */
export function optionsOf(command: Command): readonly Option[] {
  const standIn = defaultOf(command);
  const above = command.parent ? rootOf(command).options.filter(({ long }) => long !== '--version') : [];
  return [...command.options, ...(standIn?.options ?? []), ...above].filter((one) => !one.hidden);
}

/** The subcommand that `plug grants` alone means. */
export function defaultOf(command: Command): Command | undefined {
  // Commander keeps the name to itself; its own help does not need it, and we do.
  const { _defaultCommandName: name } = command as unknown as {
    readonly _defaultCommandName?: string | null;
  };
  return name ? command.commands.find((one) => one.name() === name) : undefined;
}

function childOf(command: Command, word: string): Command | undefined {
  return command.commands.find((one) => one.name() === word || one.aliases().includes(word));
}

function rootOf(command: Command): Command {
  return command.parent ? rootOf(command.parent) : command;
}
