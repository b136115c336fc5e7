import type { Command, Option } from 'commander';
import { cliLimits } from '../limits.ts';
import { sanitizeLine } from '../sanitize.ts';
import { kindOfArgument, kindOfOption, staticValues } from './kinds.ts';
import type { Candidate, Kind, NamesOf } from './kinds.ts';

export async function completeLine(
  program: Command,
  words: readonly string[],
  namesOf: NamesOf,
): Promise<Completion> {
  const typed = words.at(-1) ?? '';
  const place = placeOf(program, words.slice(0, -1));
  if (place.option) return await valuesOf(kindOfOption(place.option), place, typed, namesOf);
  if (place.behindDashes) return { candidates: [], files: true };
  const [, flag, value] = /^(--[\w-]+)=(.*)$/su.exec(typed) ?? [];
  if (flag !== undefined && value !== undefined) return await inlineValue(place, flag, value, namesOf);
  if (typed.startsWith('-')) return { candidates: safeCandidates(flagsOf(place), typed), files: false };
  const children = place.operands.length === 0 ? place.command.commands : [];
  const own = children.filter((one) => !isHidden(one)).map(childCandidate);
  const argument = argumentAt(place);
  const rest = argument
    ? await valuesOf(kindOfArgument(place.path, argument), place, typed, namesOf)
    : { candidates: [], files: false };
  return { ...rest, candidates: [...safeCandidates(own, typed), ...rest.candidates] };
}

async function valuesOf(
  kind: Kind,
  place: CompletedWord,
  typed: string,
  namesOf: NamesOf,
): Promise<Completion> {
  if (kind.kind === 'files') return { candidates: [], files: true };
  const { operands } = place;
  const listed = kind.list === true ? typed.slice(0, typed.lastIndexOf(',') + 1) : '';
  const names = staticValues(kind, operands) ?? [
    ...(kind.choices ?? []).map((value) => ({ value })),
    ...(await namesOf(kind, { operands, typed: typed.slice(listed.length) })),
  ];
  const candidates = names.map((one) => ({ ...one, value: `${listed}${one.value}` }));
  return { candidates: safeCandidates(candidates, typed), files: kind.files === true };
}

async function inlineValue(
  place: CompletedWord,
  flag: string,
  value: string,
  namesOf: NamesOf,
): Promise<Completion> {
  const option = optionsOf(place.command).find((one) => one.long === flag);
  if (!option) return { candidates: [], files: false };
  const { candidates } = await valuesOf(kindOfOption(option), place, value, namesOf);
  return { candidates: candidates.map((one) => ({ ...one, value: `${flag}=${one.value}` })), files: false };
}

function flagsOf({ command }: CompletedWord): readonly Candidate[] {
  const own = optionsOf(command).map(({ long, description }) => ({ value: long ?? '', description }));
  return [...own, { value: '--help', description: 'print this help' }];
}

function argumentAt({
  command,
  operands,
}: CompletedWord): ReturnType<typeof argumentsOf>[number] | undefined {
  const all = argumentsOf(command).length > 0 ? argumentsOf(command) : argumentsOf(defaultOf(command));
  const last = all.at(-1);
  return all[operands.length] ?? (last?.variadic ? last : undefined);
}

function argumentsOf(command: Command | undefined): Command['registeredArguments'] {
  return command?.registeredArguments ?? [];
}

function childCandidate(command: Command): Candidate {
  const help = command.createHelp();
  return { value: command.name(), description: help.subcommandDescription(command) };
}

function isHidden(command: Command): boolean {
  const visible = command.createHelp().visibleCommands(command.parent ?? command);
  return !visible.includes(command);
}

export interface Completion {
  readonly candidates: readonly Candidate[];
  readonly files: boolean;
}

/** Names come from servers: unsafe ones are left out, and the shell quotes the rest. */
function safeCandidates(candidates: readonly Candidate[], typed: string): readonly Candidate[] {
  const seen = new Set<string>();
  return candidates
    .filter(({ value }) => value.startsWith(typed) && isSafe(value) && !seen.has(value) && seen.add(value))
    .slice(0, cliLimits.completionsMax)
    .map(({ value, description = '' }) => ({ value, description: shorten(sanitizeLine(description)) }));
}

function isSafe(value: string): boolean {
  return value !== '' && value.length <= cliLimits.completionCharsMax && !/[\p{C}\p{Zl}\p{Zp}]/u.test(value);
}

const DESCRIPTION_CHARS = 70;

function shorten(text: string): string {
  return text.length > DESCRIPTION_CHARS ? `${text.slice(0, DESCRIPTION_CHARS - 1)}…` : text;
}

interface CompletedWord {
  readonly command: Command;
  readonly path: string;
  readonly operands: readonly string[];
  readonly option?: Option;
  /** After `--`, where all words belong to another command. */
  readonly behindDashes: boolean;
}

function placeOf(program: Command, words: readonly string[]): CompletedWord {
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
    const isChild = (one: Command): boolean => one.name() === word || one.aliases().includes(word);
    const child = operands.length === 0 ? command.commands.find(isChild) : undefined;
    if (child) {
      command = child;
      path.push(child.name());
    } else operands.push(word);
  }
  return { command, path: path.join(' '), operands, behindDashes: false, ...(option ? { option } : {}) };
}

function optionsOf(command: Command): readonly Option[] {
  const standIn = defaultOf(command);
  const above = command.parent ? rootOf(command).options.filter(({ long }) => long !== '--version') : [];
  return [...command.options, ...(standIn?.options ?? []), ...above].filter((one) => !one.hidden);
}

function defaultOf(command: Command): Command | undefined {
  // Commander keeps the name to itself; its own help does not need it, and we do.
  const { _defaultCommandName: name } = command as unknown as {
    readonly _defaultCommandName?: string | null;
  };
  return name ? command.commands.find((one) => one.name() === name) : undefined;
}

function rootOf(command: Command): Command {
  return command.parent ? rootOf(command.parent) : command;
}

/** The word a shell would make of this by quotes and backslashes. Nothing is expanded. */
export function unquote(word: string): string {
  let plain = '';
  let quote = '';
  for (let index = 0; index < word.length; index += 1) {
    const character = word.charAt(index);
    if (quote !== '' && character === quote) quote = '';
    else if (quote === '' && (character === "'" || character === '"')) quote = character;
    else if (character === '\\' && quote !== "'" && index + 1 < word.length) {
      index += 1;
      plain += word.charAt(index);
    } else plain += character;
  }
  return plain;
}
