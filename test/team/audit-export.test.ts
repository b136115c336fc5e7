import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect } from 'vitest';
import { verifies } from '../requirements.ts';
import { waitFor } from '../servers/start.ts';
import { shared } from '../suite/run-resources.ts';
import { SECRET, startBucket, type BucketServer } from './bucket.ts';
import { startCountingServer, type CountingServer } from './counting-server.ts';
import { openReplicas, type Replicas } from './replicas-world.ts';
import { definitionOf, type Member } from './team-world.ts';

const PATH = '/v1/team/audit-export';

let bucket: BucketServer;
let counting: CountingServer;
let folder: string;
let world: Replicas;
let mira: Member;
let udo: Member;
let called = 0;
beforeAll(async () => {
  bucket = await startBucket();
  counting = await startCountingServer();
  folder = await mkdtemp(join(tmpdir(), 'plug-export-'));
  world = await openReplicas(await shared('database'), 2, {
    PLUG_AUDIT_EXPORT_ADDRESS: bucket.address,
    PLUG_AUDIT_EXPORT_FOLDER: folder,
  });
  mira = await world.invited('mira');
  udo = await world.invited('udo', 'auditor');
  const definition = definitionOf('count', { kind: 'http', url: counting.url, headers: {} });
  await mira.ask('POST', '/v1/servers', { definition, test: false });
  await mira.ask('POST', '/v1/servers/count/start');
  await mira.ask('POST', '/v1/grants', { tool: 'count/get_number' });
}, 200_000);
afterAll(async () => {
  await world[Symbol.asyncDispose]();
  await counting[Symbol.asyncDispose]();
  await bucket[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

const inBucket = (more: object = {}): object => ({
  kind: 's3',
  address: bucket.address,
  bucket: 'records',
  region: 'test-1',
  accessKeyId: 'AKIATEST',
  prefix: 'plug/',
  ...more,
});

async function call(count: number): Promise<void> {
  for (let index = 0; index < count; index += 1) {
    const { status } = await mira.ask('POST', '/v1/calls', { tool: 'count/get_number', args: { n: 7 } });
    expect(status).toBe(200);
    called += 1;
  }
}

/** Records reach the database a moment after their calls; usage is counted there. */
async function recorded(): Promise<void> {
  await waitFor(async () => {
    const { people } = (await world.owner.ask('GET', '/v1/team/usage')).body;
    return people.some(({ calls }: { calls: number }) => calls === called);
  });
}

interface Exported {
  readonly callId: string;
  readonly person: string;
  readonly tool: string;
  readonly args?: unknown;
}

const linesOf = (text: string): readonly Exported[] =>
  text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Exported);
const exported = (): readonly Exported[] => [...bucket.objects.values()].flatMap(linesOf);
const ids = (lines: readonly Exported[]): readonly string[] => lines.map(({ callId }) => callId);

verifies(
  ['M6'],
  'an export on a schedule writes every record once, over lost answers, two replicas at work, and who has left',
  async () => {
    await call(5);
    await recorded();
    const to = inBucket({ secretAccessKey: SECRET });
    const set = await world.owner.ask('PUT', PATH, { to, format: 'jsonl', every: 'hour' });
    expect(set.body).toMatchObject({ withArguments: false, by: { email: 'olga@team.test' } });
    expect(JSON.stringify([set.body, (await udo.ask('GET', PATH)).body])).not.toContain(SECRET);
    expect((await world.owner.ask('POST', PATH, {})).body.failure).toBeUndefined();
    const first = exported();
    expect([first.length, new Set(first.map(({ person }) => person))]).toEqual([
      5,
      new Set(['mira@team.test']),
    ]);
    // What an admin has set holds what an admin may see.
    expect(first.some((line) => 'args' in line)).toBe(false);
    expect([...bucket.objects.keys()][0]).toMatch(/^\/records\/plug\/plugboard-audit-[\w-]+\.jsonl$/);

    // The bucket has the file, and the word of it is lost: it is looked for, and not written again.
    await udo.ask('PUT', PATH, { to: inBucket(), format: 'jsonl', every: 'day' });
    await call(3);
    await recorded();
    bucket.next = 'kept-unanswered';
    const lost = (await udo.ask('POST', PATH, {})).body;
    expect([lost.withArguments, lost.failure.error.code]).toEqual([true, 'unreachable']);
    bucket.next = undefined;
    const puts = (): number => bucket.asked.filter((line) => line.startsWith('PUT')).length;
    const before = puts();
    expect((await udo.ask('POST', PATH, {})).body.failure).toBeUndefined();
    expect([puts() - before, bucket.asked.at(-1)?.slice(0, 4)]).toEqual([0, 'HEAD']);
    expect(
      exported()
        .slice(5)
        .map(({ args }) => args),
    ).toEqual([{ n: 7 }, { n: 7 }, { n: 7 }]);

    // What was refused is said, with what to do, and comes with the next file.
    await call(2);
    await recorded();
    bucket.next = 'refused';
    const refused = (await world.owner.ask('POST', PATH, {})).body;
    bucket.next = undefined;
    expect(refused.failure.error).toMatchObject({ code: 'unavailable', owner: 'you' });
    expect(refused.failure.error.next).toContain('access key');
    expect(exported().length).toBe(8);

    // Everybody asks both replicas at once, while calls go on.
    const asking = Array.from({ length: 6 }, () => udo.ask('POST', PATH, {}));
    await call(4);
    await Promise.all(asking);
    await recorded();
    await world.owner.ask('DELETE', `/v1/team/people/${mira.id}`);
    expect((await udo.ask('POST', PATH, {})).body.failure).toBeUndefined();
    const all = ids(exported());
    expect([all.length, new Set(all).size]).toEqual([14, 14]);

    // Who was removed no longer reads along.
    await world.owner.ask('DELETE', `/v1/team/people/${udo.id}`);
    const stopped = (await world.owner.ask('POST', PATH, {})).body;
    expect([stopped.failure.error.code, stopped.by]).toEqual(['denied', undefined]);
    const again = await world.owner.ask('PUT', PATH, { to: inBucket(), format: 'jsonl', every: 'hour' });
    expect([again.status, (await world.owner.ask('POST', PATH, {})).body.failure]).toEqual([200, undefined]);
    expect(exported().length).toBe(14);
  },
);

verifies(
  ['M6'],
  'an export reaches no address inside the network, and no folder that nobody has named',
  async () => {
    const put = (to: object): ReturnType<Member['ask']> =>
      world.owner.ask('PUT', PATH, { to, format: 'csv', every: 'hour' });
    const inside = inBucket({ address: 'http://10.0.0.1', secretAccessKey: SECRET });
    expect((await put(inside)).status).toBe(400);
    // A key goes to the bucket that it was given for, and to no other.
    expect((await put(inBucket({ bucket: 'others' }))).status).toBe(400);
    for (const to of [
      { kind: 'folder', path: '/etc' },
      inBucket({ prefix: '../' }),
      inBucket({ bucket: 'a/b' }),
      inBucket({ address: `${bucket.address}/x` }),
    ])
      expect([to, (await put(to)).status]).toEqual([to, 400]);
    // All records are to be written again.
    await world.owner.ask('DELETE', PATH);
    await put(inBucket({ address: 'https://10.0.0.1', secretAccessKey: SECRET }));
    const { failure } = (await world.owner.ask('POST', PATH, {})).body;
    expect(failure.error.code).toBe('denied');

    // As the operator has said: whole files, for the user of the hub alone.
    await world.owner.ask('DELETE', PATH);
    await put({ kind: 'folder' });
    expect((await world.owner.ask('POST', PATH, {})).body.failure).toBeUndefined();
    const names = await readdir(folder);
    expect(names).toEqual([expect.stringMatching(/^plugboard-audit-[\w-]+\.csv$/)]);
    const file = join(folder, names[0] ?? '');
    expect((await stat(file)).mode & 0o077).toBe(0);
    // It began anew: all that is kept is in it, under a line with the names of the columns.
    expect((await readFile(file, 'utf8')).trim().split('\r\n').length).toBe(called + 1);
  },
);
