import { expect, test } from 'vitest';
import { played } from '../../../test/scenarios/calls-played.ts';
import { startHub, temporaryPaths } from '../../../test/contracts/running-hub.ts';
import { verifies } from '../../../test/requirements.ts';
import { systemClock } from '../../base/clock.ts';
import type { Approval, CallResult } from '../../hub/hub.ts';
import { openHub, type RootHub } from '../../hub/open-hub.ts';
import { createApi } from '../app.ts';
import { systemIds } from '../../base/ids.ts';
import { silentLogger } from '../../base/logger.ts';
import { ApprovalLinks } from './links.ts';
import { ownPeer } from '../../../test/contracts/own-peer.ts';

interface Sent extends Omit<RequestInit, 'headers'> {
  readonly headers?: Readonly<Record<string, string>>;
}

const URL_OF_HUB = 'http://127.0.0.1:4711';

/** A call that waits, and the page on which it can be answered. */
async function waiting(): Promise<{
  readonly approval: Approval;
  readonly link: string;
  readonly call: Promise<CallResult>;
  readonly server: ReturnType<typeof played>;
  readonly fetch: (address: string, init?: Sent) => Promise<Response>;
}> {
  const paths = temporaryPaths();
  const server = played('notes', {
    name: 'create_note',
    inputSchema: { type: 'object' },
    plays: { text: 'written' },
  });
  const { hub } = await startHub(() => openHub({ paths, cwd: paths.state, env: {}, version: '1.0.0' }), {
    paths,
  });
  const root = hub as RootHub; // opened above
  await root.servers.add({ definition: server.definition });
  const links = new ApprovalLinks({ url: () => URL_OF_HUB, clock: systemClock });
  const api = createApi({
    hub: root,
    links,
    address: () => ({ url: URL_OF_HUB }),
    isToken: () => false,
    shutdown: () => undefined,
    stopping: new AbortController().signal,
    version: '1.0.0',
    clock: systemClock,
    ids: systemIds,
    logger: silentLogger,
  });
  const asked = Promise.withResolvers<Approval>();
  const args = { text: '<script>alert(1)</script>' };
  const call = root.tools.call(
    { tool: 'notes/create_note', args, approval: 'wait' },
    { onApproval: asked.resolve },
  );
  const approval = await asked.promise;
  const link = links.linkTo(approval) ?? '';
  const peer = await ownPeer();
  const fetch = (address: string, init: Sent = {}): Promise<Response> =>
    api.fetch(
      new Request(address, { ...init, headers: { host: '127.0.0.1:4711', ...init.headers } }),
      'port',
      peer,
    );
  return { approval, link, call, server, fetch };
}

function form(key: string, decision: string, note = ''): Sent {
  const body = new URLSearchParams({ key, decision, note }).toString();
  return {
    method: 'POST',
    body,
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      'content-length': String(body.length),
      origin: URL_OF_HUB,
    },
  };
}

const keyOf = (link: string): string => new URL(link).searchParams.get('key') ?? '';

verifies(
  ['G4', 'P5'],
  'a person opens the link, sees the whole question as text, and their yes runs the call',
  async () => {
    const { link, call, server, fetch } = await waiting();
    const shown = await fetch(link);
    const html = await shown.text();
    expect(shown.status).toBe(200);
    expect(html).toContain('notes/create_note');
    expect(html).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
    expect(html).not.toContain('<script>');
    expect(shown.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(server.calls()).toEqual([]);
    const address = link.split('?')[0] ?? '';
    const answered = await fetch(address, form(keyOf(link), 'once'));
    expect(await answered.text()).toContain('Approved');
    expect((await call).isError).toBe(false);
    expect(server.calls()).toHaveLength(1);
    expect((await fetch(link)).status).toBe(404);
  },
);

verifies(['G4'], 'a no with a word to the model reaches the call, and nothing runs', async () => {
  const { link, call, server, fetch } = await waiting();
  await fetch(link.split('?')[0] ?? '', form(keyOf(link), 'no', 'not today'));
  await expect(call).rejects.toThrow(/not today/);
  expect(server.calls()).toEqual([]);
});

test('a wrong key, no key, and another page’s form open nothing', async () => {
  const { link, approval, server, fetch, call } = await waiting();
  const address = link.split('?')[0] ?? '';
  expect((await fetch(address)).status).toBe(404);
  expect((await fetch(`${address}?key=${'x'.repeat(32)}`)).status).toBe(404);
  expect((await fetch(address, form('wrong', 'once'))).status).toBe(404);
  const foreign = form(keyOf(link), 'once');
  const headers = { ...foreign.headers, origin: 'http://evil.example' };
  expect((await fetch(address, { ...foreign, headers })).status).toBe(403);
  const framed = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'image' };
  expect((await fetch(link, { headers: framed })).status).toBe(403);
  const followed = {
    'sec-fetch-site': 'cross-site',
    'sec-fetch-mode': 'navigate',
    'sec-fetch-dest': 'document',
  };
  expect((await fetch(link, { headers: followed })).status).toBe(200);
  expect(server.calls()).toEqual([]);
  expect(approval.id).not.toBe('');
  await fetch(address, form(keyOf(link), 'no'));
  await expect(call).rejects.toMatchObject({ code: 'denied' });
});
