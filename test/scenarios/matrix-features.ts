import { readFileSync, writeFileSync } from 'node:fs';
import { expect } from 'vitest';
import { waitFor } from '../servers/start.ts';
import { patience } from '../suite/patience.ts';
import { WAIT_MS } from './gateway-wire-host.ts';
import type { Answered, OpenHost, TriedHost } from './matrix-hosts.ts';

export interface Cell {
  readonly host: TriedHost;
  /** Of both eras, one after the other. */
  readonly server: 'legacy' | 'modern';
  /** A file that belongs to this cell alone. */
  readonly file: string;
}

type Try = (cell: Cell) => Promise<void>;

/** What each row of the matrix in docs/gateway.md means, as it is tried. */
export const FEATURES: Readonly<Record<string, Try>> = {
  lists: async ({ host, server }) => {
    const names = (await host.tools()).map(({ name }) => name);
    expect(names).toContain(`${server}__echo`);
    expect(names).toContain(`${server}__rows`);
  },
  calls: async ({ host, server, file }) => {
    const said = await host.call(`${server}__echo`, { file, word: 'wörd' });
    expect(textOf(said)).toContain('wörd');
    expect(readFileSync(file, 'utf8')).toBe('called\n');
  },
  'progress after a question': opened(async (host, { server, file }) => {
    const told: number[] = [];
    const onprogress = ({ progress, total }: { progress: number; total?: number | undefined }): void => {
      // The newer SDK adds a note of its own for each question, without a total.
      if (total !== undefined) told.push(progress);
    };
    const worked = host.call(`${server}__work`, { file }, { onprogress });
    await expect.poll(() => told, { timeout: patience(WAIT_MS) }).toEqual([1, 2, 3, 4]);
    writeFileSync(file, '');
    expect(textOf(await worked)).toBe('"worked"');
  }),
  cancellation: opened(async (host, { server, file }) => {
    const stop = new AbortController();
    const ended = host.call(`${server}__hang`, { file }, { signal: stop.signal }).then(
      () => 'answered',
      () => 'given up',
    );
    await waitFor(() => contentOf(file) === 'begun\n', WAIT_MS);
    stop.abort();
    expect(await ended).toBe('given up');
    await waitFor(() => contentOf(file) === 'begun\ncancelled\n', WAIT_MS);
  }),
  subscriptions: opened(async (host, { server }) => {
    const uri = `plug://${server}/test://watched`;
    await host.watch(uri);
    await host.call(`${server}__touch`);
    await waitFor(() => heard(host, 'notifications/resources/updated').some(has(uri)), WAIT_MS);
  }),
  logs: opened(async (host, { server }) => {
    await host.wantLogs();
    await host.call(`${server}__log`);
    await waitFor(
      () => heard(host, 'notifications/message').some(has(`${server} (server): a line`)),
      WAIT_MS,
    );
  }),
  forms: asking('form', 'elicitation/create form', { action: 'accept', content: { name: 'Ada' } }),
  pages: asking('url', 'elicitation/create url', { action: 'accept' }),
  sampling: asking('sample', 'sampling/createMessage', { role: 'assistant', model: 'm' }),
  roots: asking('roots', 'roots/list', { roots: [{ uri: 'file:///home/ada/work' }] }),
  'changed lists': opened(async (host, { server, file }) => {
    const before = heard(host, 'notifications/tools/list_changed').length;
    const name = file.replaceAll(/\W/g, '').slice(-30);
    await host.call(`${server}__add`, { name });
    await waitFor(() => heard(host, 'notifications/tools/list_changed').length > before, WAIT_MS);
    // Hosts of the other ways add tools too, and what was heard may be about theirs.
    const listed = async (): Promise<readonly string[]> => (await host.tools()).map((tool) => tool.name);
    await expect.poll(listed, { timeout: patience(WAIT_MS) }).toContain(`${server}__${name}`);
    expect(textOf(await host.call(`${server}__${name}`))).toBe(JSON.stringify(name));
  }),
  tasks: async ({ host, server }) => {
    const long = `${server}__long`;
    const said = await (isOpen(host) ? host.callTask(long) : host.call(long));
    expect(textOf(said)).toContain('the task is done');
  },
  apps: async ({ host, server }) => {
    const app = (await host.tools()).find(({ name }) => name === `${server}__app`);
    const uri = `ui://plug/${server}/app/index.html`;
    expect(app?._meta).toMatchObject({ ui: { resourceUri: uri } });
    if (isOpen(host)) expect(JSON.stringify(await host.read(uri))).toContain('<p>app</p>');
  },
  'large structured results': async ({ host, server }) => {
    // A client that checks results against schemas has read the list.
    await host.tools();
    const { structuredContent } = await host.call(`${server}__rows`);
    const { rows } = structuredContent as { readonly rows: readonly unknown[] }; // as its schema says
    expect(rows).toHaveLength(3_000);
    expect(rows.at(-1)).toEqual({ id: 2_999, name: 'n'.repeat(80) });
  },
};

function asking(tool: string, question: string, answer: object): Try {
  return opened(async (host, { server }) => {
    host.asked.length = 0;
    expect(JSON.parse(textOf(await host.call(`${server}__${tool}`)))).toMatchObject(answer);
    expect(host.asked).toEqual([question]);
  });
}

function opened(run: (host: OpenHost, cell: Cell) => Promise<void>): Try {
  return async (cell) => {
    if (!isOpen(cell.host)) throw new Error('This host ends with its answer.');
    await run(cell.host, cell);
  };
}

function isOpen(host: TriedHost): host is OpenHost {
  return 'asked' in host;
}

function heard(host: OpenHost, method: string): readonly unknown[] {
  return host.heard.filter((each) => each.method === method).map(({ params }) => params);
}

function has(text: string): (params: unknown) => boolean {
  return (params) => JSON.stringify(params).includes(text);
}

function contentOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

function textOf({ content, isError }: Answered): string {
  const [first] = (content ?? []) as { readonly text?: string }[]; // the fixture answers so
  if (isError) throw new Error(`It failed: ${JSON.stringify(content)}`);
  return first?.text ?? '';
}
