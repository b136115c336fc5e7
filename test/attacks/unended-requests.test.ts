import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';
import { verifies } from '../requirements.ts';
import { newPlug, type Answer, type Plug } from '../scenarios/plug-command.ts';

const server = fileURLToPath(new URL('hostile-server.ts', import.meta.url));
const LIMIT_S = 4;
/** Starting the command, the hub and the server, on a machine that is busy. */
const SLACK_S = 6;

interface Ended extends Answer {
  readonly seconds: number;
}

async function callBad(plug: Plug, kind: string, tool = 'get_bad'): Promise<Ended> {
  const begun = performance.now();
  const answer = await plug('call', `${kind}/${tool}`, '--timeout', String(LIMIT_S));
  return { ...answer, seconds: (performance.now() - begun) / 1_000 };
}

async function withServers(kinds: readonly string[]): Promise<Plug> {
  const plug = newPlug({ PLUG_NO_KEYRING: '1' });
  for (const kind of kinds) {
    const added = await plug('add', kind, '--yes', '--no-test', '--', process.execPath, server, kind);
    expect(added.code).toBe(0);
  }
  return plug;
}

verifies(
  ['attack:endless-requests', 'C6', 'L5'],
  'a call that its server never ends, as a request or as a task, ends at its limit and says so',
  async () => {
    const kinds = ['noend', 'task', 'task-silent', 'task-required', 'task-done'];
    const plug = await withServers(kinds);
    for (const kind of kinds) {
      const { code, stderr, seconds } = await callBad(plug, kind);
      expect([kind, code === 0, stderr]).toEqual([
        kind,
        false,
        expect.stringMatching(/did not answer .* within \d/),
      ]);
      expect([kind, seconds < LIMIT_S + SLACK_S]).toEqual([kind, true]);
      expect([kind, (await callBad(plug, kind, 'get_good')).stdout]).toEqual([kind, 'good\n']);
    }
  },
  240_000,
);

verifies(
  ['attack:endless-requests', 'C6', 'L5'],
  'an answer that is no answer fails its call at once, and one behind a byte order mark is read',
  async () => {
    const wrong = {
      both: /both a result and an error/,
      neither: /neither a result .* nor an error/,
      'odd-result': /neither a result .* nor an error/,
      'wrong-version': /not .*JSON-RPC 2\.0/,
    };
    const right = { bom: 'read in spite of it\n', 'null-error': 'fine\n' };
    const plug = await withServers([...Object.keys(wrong), ...Object.keys(right)]);
    for (const [kind, why] of Object.entries(wrong)) {
      const { code, stderr, seconds } = await callBad(plug, kind);
      expect([kind, code === 0, stderr]).toEqual([kind, false, expect.stringMatching(why)]);
      expect([kind, stderr.includes('within')]).toEqual([kind, false]);
      expect([kind, seconds < LIMIT_S]).toEqual([kind, true]);
      expect([kind, (await callBad(plug, kind, 'get_good')).stdout]).toEqual([kind, 'good\n']);
    }
    for (const [kind, said] of Object.entries(right)) {
      expect([kind, (await callBad(plug, kind)).stdout]).toEqual([kind, said]);
    }
  },
  240_000,
);
