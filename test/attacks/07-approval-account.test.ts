import { expect } from 'vitest';
import { verifies } from '../requirements.ts';
import { startInTerminal } from '../scenarios/typed-plug.ts';
import { accountsWorld, stdioHost } from './07-world.ts';

const LONG_MS = 120_000;

for (const era of ['legacy', 'modern'] as const) {
  verifies(
    ['P10', 'attack:7'],
    `a call is made as the account that was approved, although another became the default meanwhile (${era} host)`,
    async () => {
      const world = await accountsWorld();
      const { plug } = world;
      const host = await stdioHost(plug, era);
      const call = host.call('site__echo', { message: 'as whom?' });
      const { id, account } = await world.waiting();
      expect(account).toBe('home (@alice)');
      expect((await plug('auth', 'default', 'site', 'work')).code).toBe(0);
      expect((await plug('approve', id)).code).toBe(0);
      expect(JSON.stringify((await call.answer()).result)).toContain('as whom?');
      expect(await world.callers()).toEqual(['alice']);
      expect(await world.lastRecord()).toMatchObject({ account: 'home (@alice)', outcome: 'ok' });
    },
    LONG_MS,
  );
}

verifies(
  ['P10', 'attack:7'],
  'an approval is worth nothing once its account is gone or is somebody else’s, and the next call asks again',
  async () => {
    const world = await accountsWorld();
    const { plug } = world;
    const host = await stdioHost(plug, 'legacy');
    // Somebody else signs in under the same name.
    const first = host.call('site__echo', { message: 'one' });
    const one = await world.waiting();
    await world.signIn('carol', 'home');
    expect((await plug('approve', one.id)).code).toBe(0);
    const refused = JSON.stringify((await first.answer()).result);
    expect(refused).toContain('The account for site changed');
    expect(refused).toContain('"isError":true');
    expect(await world.callers()).toEqual([]);
    expect(await world.lastRecord()).toMatchObject({ account: 'home (@alice)', outcome: 'refused' });

    const second = host.call('site__echo', { message: 'two' });
    const two = await world.waiting();
    expect(two.account).toBe('home (@carol)');
    // The account goes; bob's is the default now.
    expect((await plug('auth', 'logout', 'site', '--account', 'home')).code).toBe(0);
    expect((await plug('approve', two.id)).code).toBe(0);
    expect(JSON.stringify((await second.answer()).result)).toContain('The account for site changed');
    expect(await world.callers()).toEqual([]);

    const third = host.call('site__echo', { message: 'three' });
    const three = await world.waiting();
    expect(three.account).toBe('work (@bob)');
    // The same person signs in again: it is still their approval.
    await world.signIn('bob', 'work');
    expect((await plug('approve', three.id)).code).toBe(0);
    expect(JSON.stringify((await third.answer()).result)).toContain('three');
    expect(await world.callers()).toEqual(['bob']);
    expect(await world.lastRecord()).toMatchObject({ account: 'work (@bob)', outcome: 'ok' });
  },
  LONG_MS,
);

verifies(
  ['P10', 'G4', 'attack:7'],
  'a call that is parked while its host asks the person runs as the account in the form',
  async () => {
    const world = await accountsWorld();
    const { plug } = world;
    const host = await stdioHost(plug, 'modern', { capabilities: { elicitation: { form: {} } } });
    const params = { name: 'site__echo', arguments: { message: 'parked' } };
    const asked = (await host.request('tools/call', params)).result ?? {};
    expect(JSON.stringify(asked['inputRequests'])).toContain('server: site (home (@alice))');
    expect((await plug('auth', 'default', 'site', 'work')).code).toBe(0);
    const content = { decision: 'once' };
    const { result } = await host.request('tools/call', {
      ...params,
      inputResponses: { approval: { action: 'accept', content } },
      requestState: String(asked['requestState']),
    });
    expect(JSON.stringify(result)).toContain('parked');
    expect(await world.callers()).toEqual(['alice']);
    expect(await world.lastRecord()).toMatchObject({
      account: 'home (@alice)',
      approval: { outcome: 'allowed' },
      outcome: 'ok',
    });
  },
  LONG_MS,
);

verifies(
  ['P10', 'attack:7'],
  'a script’s call and a call typed at a terminal run as the account on their cards',
  async () => {
    const world = await accountsWorld();
    const { plug } = world;
    const host = await stdioHost(plug, 'legacy', { mode: 'code' });
    const code = "return await servers.site.echo({ message: 'from a script' });";
    const script = host.call('run_script', { code });
    const { id } = await world.waiting();
    expect((await plug('auth', 'default', 'site', 'work')).code).toBe(0);
    expect((await plug('approve', id)).code).toBe(0);
    expect(JSON.stringify((await script.answer()).result)).toContain('from a script');
    expect(await world.callers()).toEqual(['alice']);

    const typing = startInTerminal(plug, ['call', 'site/echo', 'message=typed']);
    expect(await typing.says(/site \(work[^\r\n]*/)).toContain('site (work (@bob))');
    await typing.says(/Allow it\? \[y[^\]]*\] /);
    expect((await plug('auth', 'default', 'site', 'home')).code).toBe(0);
    typing.type('y');
    expect((await typing.answer).code).toBe(0);
    expect(await world.callers()).toEqual(['alice', 'bob']);
    expect(await world.lastRecord()).toMatchObject({ account: 'work (@bob)', outcome: 'ok' });
  },
  LONG_MS,
);

verifies(
  ['P10', 'P4', 'attack:7'],
  'what is granted for one account is not granted for another',
  async () => {
    const world = await accountsWorld();
    const { plug } = world;
    const echo = (...more: readonly string[]): Promise<{ code: number | null; stderr: string }> =>
      plug('call', 'site/echo', 'message=x', ...more);
    await plug('tools', 'site');
    expect((await plug('grants', 'add', 'site/echo', '--once')).stdout).toContain('as the account home');
    expect((await plug('auth', 'default', 'site', 'work')).code).toBe(0);
    const refused = await echo();
    expect(refused.code).not.toBe(0);
    expect(refused.stderr).toContain('plug grants add site/echo');
    expect((await plug('auth', 'default', 'site', 'home')).code).toBe(0);
    const named = await echo('--account', 'work');
    expect(named.stderr).toContain('plug grants add site/echo --account work');
    expect(await world.callers()).toEqual([]);
    expect((await echo()).code).toBe(0);
    expect((await plug('grants', 'add', 'site/echo', '--account', 'work')).code).toBe(0);
    expect((await echo('--account', 'work')).code).toBe(0);
    expect((await echo()).code).not.toBe(0);
    expect(await world.callers()).toEqual(['alice', 'bob']);
    // It ends with the person that it was given for.
    await world.signIn('carol', 'work');
    expect((await echo('--account', 'work')).code).not.toBe(0);
    expect((await plug('grants', 'list')).stderr).toContain('granted for another account');
    expect(await world.callers()).toEqual(['alice', 'bob']);
  },
  LONG_MS,
);

verifies(
  ['P10', 'attack:7'],
  'a call that is tried again after a lost connection, and a task that its host follows, stay with their account',
  async () => {
    const world = await accountsWorld({ drop: 'echo', task: 'pid' });
    const { plug } = world;
    await plug('tools', 'site');
    expect((await plug('tools', 'risk', 'site/echo', 'read')).code).toBe(0);
    for (const tool of ['site/echo', 'site/pid']) {
      expect((await plug('grants', 'add', tool, '--account', 'work')).code).toBe(0);
      expect((await plug('grants', 'add', tool)).code).toBe(0);
    }
    expect((await plug('call', 'site/echo', 'message=x', '--account', 'work')).code).toBe(0);
    expect(await world.callers()).toEqual(['bob', 'bob']);
    expect(await world.lastRecord()).toMatchObject({ account: 'work (@bob)', retries: 1 });

    const capabilities = { extensions: { 'io.modelcontextprotocol/tasks': {} } };
    const host = await stdioHost(plug, 'modern', { capabilities });
    const begun = await host.request('tools/call', { name: 'site__pid', arguments: {} });
    expect(begun.result).toMatchObject({ resultType: 'task', taskId: expect.any(String) });
    expect((await plug('auth', 'default', 'site', 'work')).code).toBe(0);
    const got = await host.request('tasks/get', { taskId: String(begun.result?.['taskId']) });
    expect(JSON.stringify(got.result)).toContain('done as alice');
  },
  LONG_MS,
);
