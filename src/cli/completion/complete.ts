import type { Command } from 'commander';
import { safeCandidates, type Candidate, type Completion } from './candidate.ts';
import { defaultOf, optionsOf, placeOf, type Place } from './place.ts';
import { kindOfArgument, kindOfOption, staticValues, type Kind } from './kinds.ts';

/** Names that only a running hub knows; answers none when there is no hub. */
export type NamesOf = (
  kind: Kind,
  context: { readonly operands: readonly string[]; readonly typed: string },
) => Promise<readonly Candidate[]>;

/** What could stand at the cursor. The last word is the one being typed; it may be empty. */
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

async function valuesOf(kind: Kind, place: Place, typed: string, namesOf: NamesOf): Promise<Completion> {
  if (kind.kind === 'files') return { candidates: [], files: true };
  const { operands } = place;
  // In a list such as a,b only the last one is being typed.
  const listed = kind.list === true ? typed.slice(0, typed.lastIndexOf(',') + 1) : '';
  const known = staticValues(kind, operands);
  const names = known ?? [
    ...(kind.choices ?? []).map((value) => ({ value })),
    ...(await namesOf(kind, { operands, typed: typed.slice(listed.length) })),
  ];
  const candidates = names.map((one) => ({ ...one, value: `${listed}${one.value}` }));
  return { candidates: safeCandidates(candidates, typed), files: kind.files === true };
}

async function inlineValue(place: Place, flag: string, value: string, namesOf: NamesOf): Promise<Completion> {
  const option = optionsOf(place.command).find((one) => one.long === flag);
  if (!option) return { candidates: [], files: false };
  const { candidates } = await valuesOf(kindOfOption(option), place, value, namesOf);
  return { candidates: candidates.map((one) => ({ ...one, value: `${flag}=${one.value}` })), files: false };
}

function flagsOf({ command }: Place): readonly Candidate[] {
  const own = optionsOf(command).flatMap(({ long, description }) =>
    long ? [{ value: long, description }] : [],
  );
  return [...own, { value: '--help', description: 'print this help' }];
}

/** Where `plug grants` alone means `plug grants list`, so do its arguments. */
function argumentAt({ command, operands }: Place): ReturnType<typeof argumentsOf>[number] | undefined {
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
  return !command
    .createHelp()
    .visibleCommands(command.parent ?? command)
    .includes(command);
}
