import type { SyncAnswers } from '../../hub/plans.ts';
import type { FoundServer } from '../../servers/registry/merge.ts';
import { commandOf } from '../../base/remedy-command.ts';
import type { RegistryAnswer, SearchOutcome } from '../../servers/registry/search.ts';
import { exitCodes, type ExitCode } from '../exit-codes.ts';
import { usage } from '../failures.ts';
import { DONE, FAILED, WARNING, faint, type Output } from '../output.ts';
import { flexible, printTable } from '../render/table.ts';
import { counted } from '../render/text.ts';
import type { Flags, HubSession } from '../session.ts';
import { stepText } from '../render/error.ts';

export interface SearchArgs extends Flags<'offline' | 'sync'> {
  readonly words: readonly string[];
  readonly registry?: readonly string[];
  readonly limit: number;
}

export async function search(args: SearchArgs, session: HubSession): Promise<ExitCode> {
  const { hub, out, signal } = session;
  const { words, registry: registries = [], offline = false, limit } = args;
  const query = words.join(' ');
  const only = registries.length > 0 ? { registries } : {};
  if (query.trim() === '' && !args.sync) throw usage('Name something to search for.', 'plug search WORDS');
  const synced = args.sync ? await sync(only, session) : undefined;
  if (query.trim() === '') {
    out.document({ results: [], registries: [], ...synced });
    return synced && synced.failed.length > 0 ? exitCodes.failed : exitCodes.ok;
  }
  const outcome = await out.working('Asking the registries', () =>
    hub.registries.search({ query, ...only, offline, limit }, { signal }),
  );
  out.document({ query, ...outcome, ...(synced ? { synced } : {}) });
  if (!out.json) {
    if (outcome.corrected !== undefined) out.note(faint(`Showing results for “${outcome.corrected}”.`));
    renderFound(outcome.results, out);
    renderRegistries(outcome.registries, out);
    const [first] = outcome.results;
    if (first) out.line(faint(`Next: ${commandOf({ do: 'add-server', name: first.address })}`));
    else if (outcome.registries.some(({ reason }) => reason !== undefined))
      out.note(faint(searchedSentence(outcome)));
  }
  if (outcome.results.length > 0) return exitCodes.ok;
  return isIncomplete(outcome) ? exitCodes.serverNotAvailable : exitCodes.notFound;
}

/** Some registry could not be asked: it may list what was looked for. */
function isIncomplete({ registries }: SearchOutcome): boolean {
  return registries.some(({ state }) => state === 'failed');
}

function searchedSentence({ registries, featured }: SearchOutcome): string {
  const copied = registries.reduce((sum, { copied: count = 0 }) => sum + count, 0);
  const entries = `${copied} registry entries known here`;
  return `Searched: ${counted(featured.servers, 'featured server')} and ${entries}.`;
}

type Only = { readonly registries?: readonly string[] };

async function sync(only: Only, { hub, out, signal }: HubSession): Promise<SyncAnswers> {
  const answers = await out.working('Copying the registries', () => hub.registries.sync(only, { signal }));
  for (const { registry, seen } of answers.synced)
    out.line(DONE, `${registry} is copied: ${seen} entries were new or changed.`);
  for (const { error } of answers.failed) if (!out.json) out.note(FAILED, error.message);
  return answers;
}

export function renderFound(results: readonly FoundServer[], out: Output): void {
  const rows = results.map((found) => [
    { text: found.verified ? '✔' : '', style: 'good' } as const,
    found.address,
    faint(found.sources.join('+')),
    found.useCount > 0 ? String(found.useCount) : '',
    found.deprecated ? `(deprecated) ${found.description}` : found.description,
  ]);
  const columns = ['', 'ADDRESS', 'LISTED BY', 'USES', flexible('DESCRIPTION')];
  printTable(out, columns, rows, 'No server was found.');
  if (results.some(({ verified }) => verified)) out.line(faint('✔ verified publisher'));
}

export function failureOf({
  name,
  reason = 'It did not answer.',
}: Pick<RegistryAnswer, 'name'> & { readonly reason?: string | undefined }): string {
  return reason.includes(`“${name}”`) ? reason : `The registry “${name}” failed: ${reason}`;
}

export function renderRegistries(registries: readonly RegistryAnswer[], out: Output): void {
  if (out.json) return; // they are part of the document
  for (const { name, state, ageMs, reason, next, problems } of registries) {
    const age = ageMs === undefined ? '' : ` from ${ageOf(ageMs)} ago`;
    if (state === 'failed') out.note(FAILED, failureOf({ name, reason }));
    else if (state === 'cached' && reason !== undefined)
      out.note(WARNING, `${name}: ${reason} Its results are${age || ' what is known here'}.`);
    else if (state === 'cached') out.note(faint(`${name}: the local copy${age}.`));
    if (next !== undefined && state !== 'live') out.note(faint('  next   '), stepText(next));
    for (const problem of problems.slice(0, 3)) out.note(faint(`  ${problem}`));
  }
}

const UNITS_MS = [
  [86_400_000, 'day'],
  [3_600_000, 'hour'],
  [60_000, 'minute'],
  [1_000, 'second'],
] as const;

function ageOf(ms: number): string {
  const [size, unit] = UNITS_MS.find(([least]) => ms >= least) ?? UNITS_MS[3];
  return counted(Math.max(1, Math.round(ms / size)), unit);
}
