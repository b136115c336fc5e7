import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished } from 'vitest';
import { limits } from '../../base/limits.ts';
import { verifies } from '../../../test/requirements.ts';
import { readDocument } from '../registry/document.ts';
import { planOf as planOfEntry } from '../../../test/plan-of.ts';
import type { InstallPlan } from './plan.ts';
import { httpProbe, probePlan } from './probe.ts';

async function serve(status: number, words = '{}'): Promise<{ url: string; seen: string[] }> {
  const seen: string[] = [];
  const listener = createServer((request, response) => {
    seen.push(`${request.method} ${request.headers.authorization ?? 'no credentials'}`);
    response.writeHead(status, status === 401 ? { 'www-authenticate': 'Bearer' } : {}).end(words);
  }).listen(0, '127.0.0.1');
  await once(listener, 'listening');
  onTestFinished(() => {
    listener.closeAllConnections();
    listener.close();
  });
  return { url: `http://127.0.0.1:${(listener.address() as AddressInfo).port}/mcp`, seen }; // a TCP listener
}

function planOf(url: string, headers: readonly object[] = []): InstallPlan {
  const read = readDocument(
    { server: { name: 'a/b', remotes: [{ type: 'streamable-http', url, headers }] } },
    'official',
  );
  if (read.kind === 'bad') throw new Error(read.reason);
  return planOfEntry(read.entry);
}

const probe = httpProbe({ fetch, limits, offersSignIn: () => Promise.resolve(true) });
const keyed = httpProbe({ fetch, limits, offersSignIn: () => Promise.resolve(false) });

verifies(
  ['S15'],
  'a remote server that declares no secret is asked: a sign-in that is offered means OAuth, an answer means none',
  async () => {
    const closed = await serve(401);
    expect((await probePlan(planOf(closed.url), probe)).auth.kind).toBe('oauth');
    expect(closed.seen).toEqual(['POST no credentials']);
    expect((await probePlan(planOf((await serve(200)).url), probe)).auth.kind).toBe('none');
    expect((await probePlan(planOf((await serve(400)).url), probe)).auth.kind).toBe('none');
    expect((await probePlan(planOf((await serve(503)).url), probe)).auth).toMatchObject({
      kind: 'unknown',
      offers: ['key', 'none'],
    });
    expect((await probePlan(planOf('http://127.0.0.1:1/mcp'), probe)).auth.kind).toBe('unknown');
  },
);

verifies(
  ['S15'],
  'a server that says which key it wants is not asked, nor one whose address is incomplete',
  async () => {
    const closed = await serve(401);
    const declared = planOf(closed.url, [{ name: 'X-API-Key', isSecret: true, isRequired: true }]);
    expect((await probePlan(declared, probe)).auth.kind).toBe('key');
    const open = planOf(`${closed.url}/{tenant}`);
    expect((await probePlan(open, probe)).auth).toEqual(open.auth);
    expect(closed.seen).toEqual([]);
  },
);

verifies(
  ['S15'],
  'a server that turns us away and offers no sign-in gets a field for its key, in the header that it names',
  async () => {
    for (const [words, header] of [
      ['{}', 'Authorization'],
      ['{"error":"Missing x-api-key header"}', 'X-Api-Key'],
    ] as const) {
      for (const status of [401, 403]) {
        const { form, auth, target } = await probePlan(planOf((await serve(status, words)).url), keyed);
        expect(auth).toMatchObject({ kind: 'key', fields: [`header:${header}`] });
        expect(form).toMatchObject([
          { id: `header:${header}`, title: 'API key', kind: 'secret', required: true },
        ]);
        expect(target).toMatchObject({ headers: [{ name: header }] });
      }
    }
  },
);
