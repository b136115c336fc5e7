import type { Hub } from '../../hub/hub.ts';
import { PlugError, toPlugError } from '../../base/errors.ts';
import { exitCodes, type ExitCode } from '../exit-codes.ts';
import { sizeInWords } from '../../base/size-in-words.ts';
import { ago } from '../render/state.ts';
import { printTable } from '../render/table.ts';
import type { Session } from '../session.ts';
import { unknownWord } from '../failures.ts';
import { DONE, faint } from '../output.ts';

export interface ResultsArgs {
  readonly id?: string;
  readonly page?: number;
  readonly grep?: string;
  readonly path?: string;
  readonly rm?: boolean;
}

/** `plug results`: large results that are kept, and what is in one. */
export async function results(hub: Hub, args: ResultsArgs, session: Session): Promise<ExitCode> {
  const { id, page, grep, path, rm } = args;
  const ways = [page, grep, path, rm].filter((way) => way !== undefined);
  if (id === undefined) {
    if (ways.length > 0) throw usage('Say which result: plug results ID --page 2.');
    return await listResults(hub, session);
  }
  if (ways.length > 1) throw usage('One at a time: --page, --grep, --path or --rm.');
  try {
    if (rm) return await removeResult(hub, id, session);
    if (grep !== undefined) return await grepResult(hub, id, grep, session);
    if (path !== undefined) return await readPath(hub, id, path, session);
    return await readPage(hub, id, page ?? 1, session);
  } catch (error) {
    if (toPlugError(error).code !== 'not_found') throw error;
    const known = (await hub.results.list()).map((one) => one.id);
    if (known.includes(id)) throw error;
    const remedy = { do: 'type', line: 'plug results' } as const;
    throw unknownWord(`There is no result “${id}” (any more).`, { word: id, known, remedy });
  }
}

async function listResults(hub: Hub, { out, clock }: Session): Promise<ExitCode> {
  const kept = await hub.results.list();
  out.document({ results: kept });
  if (kept.length === 0) out.line('No result is kept. Large ones are, for a while.');
  else if (!out.json) {
    const now = clock.now();
    const rows = kept.map(({ id, server, tool, bytes, createdAt, expiresAt }) => [
      { text: id, style: 'strong' as const },
      `${server}/${tool}`,
      sizeInWords(bytes),
      ago(now - createdAt),
      new Date(expiresAt).toISOString().slice(0, 16).replace('T', ' '),
    ]);
    const columns = ['RESULT', 'TOOL', 'SIZE', 'CAME', 'KEPT UNTIL'].map((title) => ({ title }));
    printTable(out, columns, rows);
  }
  return exitCodes.ok;
}

async function readPage(hub: Hub, id: string, page: number, { out }: Session): Promise<ExitCode> {
  const found = await hub.results.page({ id, page });
  out.document(found);
  out.body(found.text);
  if (!out.json && found.page < found.pages) {
    out.note(
      faint(`Page ${found.page} of ${found.pages}. Next: plug results ${id} --page ${found.page + 1}`),
    );
  }
  return exitCodes.ok;
}

/** Like grep: exit code 1 when nothing matches. */
async function grepResult(hub: Hub, id: string, pattern: string, { out }: Session): Promise<ExitCode> {
  const found = await hub.results.grep({ id, pattern });
  out.document(found);
  for (const { line, page, text } of found.matches) {
    out.line(faint(`${line} (page ${page}): `), text);
  }
  if (!out.json && found.truncated) out.note('There are more matches than are shown.');
  if (found.matches.length > 0) return exitCodes.ok;
  if (!out.json) out.note('Nothing matches.');
  return exitCodes.failed;
}

async function readPath(hub: Hub, id: string, path: string, { out }: Session): Promise<ExitCode> {
  const answer = await hub.results.path({ id, path });
  out.document(answer);
  for (const { path: where, value } of answer.found) {
    out.text(JSON.stringify(value, undefined, 2), faint(`${where}  `));
  }
  if (!out.json && answer.truncated) out.note('There is more than is shown.');
  if (answer.found.length > 0) return exitCodes.ok;
  if (!out.json) out.note('Nothing is there.');
  return exitCodes.failed;
}

async function removeResult(hub: Hub, id: string, { out }: Session): Promise<ExitCode> {
  await hub.results.remove({ id });
  out.document({ removed: [id] });
  out.line(DONE, `${id} is deleted.`);
  return exitCodes.ok;
}

function usage(message: string): PlugError {
  return new PlugError('usage', message, { owner: 'you', remedy: { do: 'help', topic: 'results' } });
}
