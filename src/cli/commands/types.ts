import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { defined } from '../../base/defined.ts';
import { hasCode, messageOf, type PlugError } from '../../base/errors.ts';
import { systemIds } from '../../base/ids.ts';
import { CLIENT_FILE_MARK, clientFile, type ClientFile } from '../../catalog/typescript/client-file.ts';
import type { ServerView, ToolList } from '../../hub/hub.ts';
import { userError } from '../failures.ts';
import { DONE, WARNING } from '../output.ts';
import { withServerName, type HubSession, type Session, type Texts } from '../session.ts';

export async function types(args: Texts<'server' | 'output'>, session: HubSession): Promise<void> {
  const { server, output } = args;
  const { hub, out } = session;
  const list = server === undefined ? await hub.tools.list() : await oneServer(server, session);
  const learned = await hub.tools.learnedOutputs(defined({ server }));
  const { servers } = await hub.servers.list();
  const { version } = await hub.status();
  const file = clientFile(list.tools, {
    version,
    learned: new Map(learned.map(({ tool, schema, seen }) => [tool, { schema, seen }])),
    about: new Map(servers.flatMap((view) => aboutOf(view))),
    // A `.d.ts` declares, a `.ts` can do something too.
    program: output !== undefined && /\.[cm]?ts$/.test(output) && !/\.d\.[cm]?ts$/.test(output),
  });
  const path = output === undefined ? undefined : resolve(session.cwd, output);
  const count = list.tools.length - file.leftOut.length;
  if (path !== undefined) await writeFileOfOurs(path, file.text);
  out.document({
    ...(path === undefined ? { text: file.text } : { file: path }),
    tools: count,
    leftOut: file.leftOut,
    unavailable: list.unavailable.map(({ server: id, state }) => ({ server: id, reason: state.reason })),
  });
  if (path === undefined) out.text(file.text.trimEnd());
  else out.line(DONE, `${output} has the types of ${count} tools.`);
  if (!out.json) tellMissing(list, file, session);
}

async function oneServer(server: string, { hub, out }: HubSession): Promise<ToolList> {
  return out.working(`Asking ${server} for its tools`, () =>
    withServerName(hub, server, () => hub.tools.list({ server })),
  );
}

function tellMissing(list: ToolList, { leftOut }: ClientFile, { out }: Session): void {
  const warn = (text: string): void => out.note(WARNING, text);
  for (const { server, state } of list.unavailable) warn(`${server} is not in it: ${state.reason}`);
  for (const { ref, reason } of list.withheld) warn(`${ref} is not in it: ${reason}`);
  for (const ref of leftOut)
    warn(`${ref} is not in it: no method can be called so. Use hub.tools.call({ tool: '${ref}' }).`);
}

function aboutOf({ id, serverInfo }: ServerView): readonly [string, string][] {
  const { title, name, version } = serverInfo ?? {};
  const texts = [title ?? name, version].flatMap((text) => (typeof text === 'string' && text ? [text] : []));
  return texts.length === 0 ? [] : [[id, texts.join(' ')]];
}

async function writeFileOfOurs(path: string, text: string): Promise<void> {
  const before = await readFile(path, 'utf8').catch((error: unknown) => {
    if (hasCode(error, 'ENOENT')) return undefined;
    throw notWritten(path, messageOf(error));
  });
  if (before !== undefined && before !== '' && !before.startsWith(CLIENT_FILE_MARK)) {
    throw userError('already_exists', `${path} wasn’t written by plug types, so it was left unchanged.`, {
      remedy: 'Give -o another name, or remove the file.',
    });
  }
  const temporary = `${path}.${systemIds.next('new')}`;
  try {
    await writeFile(temporary, text, { flag: 'wx' });
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw notWritten(path, messageOf(error));
  }
}

function notWritten(path: string, why: string): PlugError {
  return userError('usage', `${path} cannot be written: ${why}.`, {
    remedy: 'Choose a folder that exists and is yours.',
  });
}
