import { expect } from 'vitest';
import type { JsonObject } from '../../src/base/json.ts';
import type { HostHandlers } from '../../src/connections/host.ts';
import type { Client } from '../../src/hub/client.ts';
import type { RootHub } from '../../src/hub/open-hub.ts';
import { LOCAL } from '../../src/hub/principal.ts';
import { verifies } from '../requirements.ts';
import { firstText, gatewayWorld, legacyHost, modernHost } from './gateway-world.ts';
import { curious, told } from './hosts-world.ts';

const ERAS = ['legacy', 'modern'] as const;
const all = { mode: 'all' } as const;
const PAGES = { elicitation: { url: {} } };

interface Face {
  readonly asked: JsonObject[];
  readonly withdrawn: string[];
  readonly close: () => Promise<void>;
}

/** A person at a face of ours, who answers forms with their name; `silent` leaves them open. */
async function faceOf(hub: RootHub, kind: Client['kind'], name = 'ada'): Promise<Face> {
  const [asked, withdrawn]: [JsonObject[], string[]] = [[], []];
  const elicitation: HostHandlers['elicitation'] = ({ params }, { signal }) => {
    asked.push(params);
    if (name !== 'silent') return Promise.resolve({ action: 'accept', content: { name } });
    return new Promise((_resolve, reject) => {
      signal.addEventListener('abort', () => {
        withdrawn.push(String(signal.reason));
        reject(signal.reason);
      });
    });
  };
  const at = hub.as({ id: `${kind} ${name}`, kind, principal: LOCAL });
  const attached = await at.hosts.attach({ name: kind, handlers: { elicitation } });
  return { asked, withdrawn, close: () => attached.close() };
}

for (const kind of ['terminal', 'page', 'editor'] as const) {
  verifies(
    ['G6'],
    `what a server asks a host without forms is put to the person at the ${kind}, in the server’s name`,
    async () => {
      const servers = ERAS.map((era) => curious(era, { era }));
      const { hub, gateway } = await gatewayWorld(servers, { rules: 'permissive' });
      const face = await faceOf(hub, kind);
      for (const host of [await legacyHost(gateway, all), modernHost(gateway, all)]) {
        for (const era of ERAS) {
          const answer = await host.request('tools/call', { name: `${era}__wonder`, arguments: {} });
          expect(firstText(answer)).toContain('"ada"');
          expect(face.asked.splice(0)[0]?.['message']).toMatch(new RegExp(`^${era} \\(server\\): `));
        }
        expect(host.asked).toEqual([]);
      }
    },
  );
}

verifies(
  ['G6'],
  'where nobody can be asked, the server is refused: it hears of no person who canceled',
  async () => {
    const { hub, gateway } = await gatewayWorld([curious('old')], { rules: 'permissive' });
    const host = await legacyHost(gateway, all);
    const wonder = async (): Promise<unknown> =>
      JSON.parse(firstText(await host.request('tools/call', { name: 'old__wonder', arguments: {} })));
    expect(await wonder()).toMatchObject({ code: -32601 });
    // Any program may use the library: no person is known to be there.
    const program = await faceOf(hub, 'library');
    expect(await wonder()).toMatchObject({ code: -32601 });
    const face = await faceOf(hub, 'terminal');
    expect(await wonder()).toMatchObject({ action: 'accept' });
    await face.close();
    expect(await wonder()).toMatchObject({ code: -32601 });
    expect(program.asked).toEqual([]);
  },
);

verifies(
  ['G6'],
  'a host is asked what it can show, and only the rest is asked elsewhere; the first answer decides',
  async () => {
    const { hub, gateway } = await gatewayWorld([curious('old')], { rules: 'permissive' });
    const silent = await faceOf(hub, 'page', 'silent');
    const face = await faceOf(hub, 'terminal');
    const host = await legacyHost(gateway, all, PAGES, () => ({ action: 'decline' }));
    const call = async (tool: string): Promise<string> =>
      firstText(await host.request('tools/call', { name: `old__${tool}`, arguments: {} }));
    expect(await call('page')).toContain('decline');
    expect([host.asked.length, face.asked.length]).toEqual([1, 0]);
    expect(await call('wonder')).toContain('"ada"');
    expect([host.asked.length, face.asked.length, silent.asked.length]).toEqual([1, 1, 1]);
    expect(silent.withdrawn).toEqual([expect.stringContaining('answered elsewhere')]);
  },
);

verifies(
  ['G6', 'C15'],
  'a host’s own connection to an old server declares what the host can do, and a host without roots has none',
  async () => {
    const servers = [curious('old', { asks: 'roots' }, { sharing: 'per-host' })];
    const { hub } = await gatewayWorld(servers, { rules: 'permissive' });
    const attach = (capabilities: JsonObject): ReturnType<typeof hub.hosts.attach> =>
      hub.hosts.attach({ name: 'editor', cwd: process.cwd(), handlers: { capabilities } });
    const poor = await attach({});
    expect(await told(hub, 'old/declared', { host: poor.id })).toEqual({});
    expect(await told(hub, 'old/roots', { host: poor.id })).toEqual([{ roots: [] }]);
    const able = await attach({ ...PAGES, tasks: {} });
    expect(await told(hub, 'old/declared', { host: able.id })).toEqual(PAGES);
    await faceOf(hub, 'terminal');
    const helped = await attach({});
    expect(await told(hub, 'old/declared', { host: helped.id })).toEqual({
      elicitation: { form: {}, url: {} },
    });
  },
);
