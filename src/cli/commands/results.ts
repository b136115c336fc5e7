import { toPlugError, type PlugError } from '../../base/errors.ts';
import { sizeInWords } from '../../base/size-in-words.ts';
import { exitCodes, type ExitCode } from '../exit-codes.ts';
import { unknownWord, userError } from '../failures.ts';
import { DONE, faint, strong } from '../output.ts';
import { ago } from '../render/state.ts';
import { printTable } from '../render/table.ts';
import { shortMoment } from '../render/text.ts';
import type { HubSession, Texts } from '../session.ts';

type ResultsArgs = Texts<'id' | 'grep' | 'path'> & { readonly page?: number; readonly rm?: boolean };

export async function results(args: ResultsArgs, session: HubSession): Promise<ExitCode | void> {
  const { id, page, grep, path, rm } = args;
  const { hub } = session;
  const ways = [page, grep, path, rm].filter((way) => way !== undefined);
  if (id === undefined) {
    if (ways.length > 0) throw misused('Name a result: plug results ID --page 2.');
    return await listResults(session);
  }
  if (ways.length > 1) throw misused('One at a time: --page, --grep, --path or --rm.');
  try {
    if (rm) return await removeResult(id, session);
    if (grep !== undefined) return await grepResult(id, grep, session);
    if (path !== undefined) return await readPath(id, path, session);
    return await readPage(id, page ?? 1, session);
  } catch (error) {
    if (toPlugError(error).code !== 'not_found') throw error;
    const known = (await hub.results.list()).map((one) => one.id);
    if (known.includes(id)) throw error;
    const remedy = { do: 'type', line: 'plug results' } as const;
    throw unknownWord(`There is no result “${id}”. It may have expired.`, { word: id, known, remedy });
  }
}

async function listResults({ hub, out, clock }: HubSession): Promise<void> {
  const kept = await hub.results.list();
  out.document({ results: kept });
  const rows = kept.map(({ id, server, tool, bytes, createdAt, expiresAt }) => [
    strong(id),
    `${server}/${tool}`,
    sizeInWords(bytes),
    ago(clock.now() - createdAt),
    shortMoment(expiresAt),
  ]);
  const empty = 'No stored results. Large results are stored for seven days.';
  printTable(out, ['RESULT', 'TOOL', 'SIZE', 'CAME', 'KEPT UNTIL'], rows, empty);
}

async function readPage(id: string, page: number, { hub, out }: HubSession): Promise<void> {
  const found = await hub.results.page({ id, page });
  out.document(found);
  out.body(found.text);
  if (out.json || found.page >= found.pages) return;
  out.note(faint(`Page ${found.page} of ${found.pages}. Next: plug results ${id} --page ${found.page + 1}`));
}

/** Like grep: exit code 1 when nothing matches. */
async function grepResult(id: string, pattern: string, { hub, out }: HubSession): Promise<ExitCode> {
  const found = await hub.results.grep({ id, pattern });
  const { matches } = found;
  out.document(found);
  for (const { line, page, text } of matches) out.line(faint(`${line} (page ${page}): `), text);
  if (!out.json && found.truncated) out.note('More matches exist than are shown.');
  if (!out.json && matches.length === 0) out.note('Nothing matches.');
  return matches.length > 0 ? exitCodes.ok : exitCodes.failed;
}

async function readPath(id: string, path: string, { hub, out }: HubSession): Promise<ExitCode> {
  const answer = await hub.results.path({ id, path });
  const { found } = answer;
  out.document(answer);
  for (const { path: where, value } of found)
    out.text(JSON.stringify(value, undefined, 2), faint(`${where}  `));
  if (!out.json && answer.truncated) out.note('More exists than is shown.');
  if (!out.json && found.length === 0) out.note('Nothing found.');
  return found.length > 0 ? exitCodes.ok : exitCodes.failed;
}

async function removeResult(id: string, { hub, out }: HubSession): Promise<void> {
  await hub.results.remove({ id });
  out.document({ removed: [id] });
  out.line(DONE, `${id} is deleted.`);
}

function misused(message: string): PlugError {
  return userError('usage', message, { remedy: { do: 'help', topic: 'results' } });
}
