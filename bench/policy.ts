/* oxlint-disable unicorn/no-thenable -- “then” is a word of the rules file */
import { report } from './figure.ts';
import { cpuOf, interleave } from './measure.ts';
import { product } from './product.ts';
import type { CallQuestion } from '../src/policy/decision.ts';
import type { Grant } from '../src/policy/grant.ts';
import type { Rules } from '../src/policy/rules/parse.ts';

/** What it costs to decide a call, with as many grants as may be kept and a page of rules. */
const GRANTS = 10_000;
const SERVERS = 100;
const REPEATS = 5_000;
const NOW = 1_000;

const { decide } = await product<typeof import('../src/policy/decide.ts')>('policy/decide');
const { GrantIndex } = await product<typeof import('../src/policy/grants.ts')>('policy/grants');
const { parseRules } = await product<typeof import('../src/policy/rules/parse.ts')>('policy/rules/parse');

const grants = Array.from({ length: GRANTS }, (_, index) => grantOf(index));
// One tool has as many grants as a tool may have, and the one that fits is the last.
const crowded = Array.from({ length: 100 }, (_, index) => grantOf(index, { tool: 'crowded', server: 0 }));
const rules = await readRules();
const policy = { ...rules, grants: new GrantIndex([...grants, ...crowded].slice(-GRANTS)), readOnly: false };
const granted = Array.from({ length: 100 }, (_, index) =>
  questionOf(index, `tool_${index + SERVERS * 50}`, `repo-${index + 5_000}`),
);
const asking = granted.map((question) => ({ ...question, args: { repo: 'other' } }));
const worst = questionOf(0, 'crowded', 'repo-99');
for (const [effect, question] of [
  ['allow', granted[1]],
  ['ask', asking[1]],
  ['allow', worst],
] as const) {
  const made = question && decide(question, policy);
  if (made?.effect !== effect) throw new Error(`The wrong thing is measured: ${made?.reason}`);
}

const byKey = new Map(grants.map((grant, index) => [`${grant.server}/tool_${index}`, grant]));
const time = await interleave(
  {
    granted: () => perCall((index) => decide(granted[index % 100] ?? worst, policy)),
    asking: () => perCall((index) => decide(asking[index % 100] ?? worst, policy)),
    worst: () => perCall(() => decide(worst, policy)),
    bare: () => perCall((index) => byKey.get(`server-${index % SERVERS}/tool_${index % GRANTS}`)),
  },
  { rounds: 15, warmUps: 3 },
);
report([
  {
    name: 'decide a granted call, 10,000 grants and 20 rules, against one lookup',
    unit: 'µs',
    measured: time.granted,
    floor: time.bare,
    target: { max: 20 },
  },
  {
    name: 'decide a call that asks, the same',
    unit: 'µs',
    measured: time.asking,
    floor: time.bare,
    target: { max: 20 },
  },
  {
    name: 'decide a call of a tool with 100 grants, the last fits',
    unit: 'µs',
    measured: time.worst,
    target: { max: 20 },
  },
]);

function grantOf(index: number, { tool, server }: { tool?: string; server?: number } = {}): Grant {
  return {
    id: `grant_${tool ?? ''}${index}`,
    principal: 'local',
    server: `server-${server ?? index % SERVERS}`,
    fingerprint: 'f',
    scope: {
      kind: 'arguments',
      tool: tool ?? `tool_${index}`,
      hash: 'h',
      pattern: { repo: `repo-${index}*` },
    },
    until: NOW + 1,
    session: false,
    source: 'bench',
    createdAt: 0,
  };
}

function questionOf(server: number, name: string, repo: string): CallQuestion {
  return {
    action: 'call',
    principal: 'local',
    requester: { kind: 'host', id: 'host' },
    now: NOW,
    server: { id: `server-${server}`, key: `server-${server}`, fingerprint: 'f', trust: 'kept' },
    tool: { name, risk: 'write', hash: 'h', flags: [], quarantined: false },
    args: { repo, title: 'A title', body: 'Some text of an ordinary length.' },
    origins: [],
  };
}

async function readRules(): Promise<Rules> {
  const all = Array.from({ length: 20 }, (_, index) => ({
    name: `rule ${index}`,
    when: { tool: `server-${index}*/delete_*`, args: { title: '*never*' } },
    then: (['deny', 'ask', 'allow'] as const)[index % 3],
  }));
  const parsed = await parseRules(JSON.stringify({ rules: all }));
  if (parsed.kind === 'broken') throw new Error('The rules of this benchmark are broken.');
  return parsed.rules;
}

/** CPU time, as that is what a decision takes away from the calls beside it. */
async function perCall(work: (index: number) => unknown): Promise<number> {
  const spent = await cpuOf(async () => {
    for (let count = 0; count < REPEATS; count += 1) work(count);
  });
  return spent / REPEATS;
}
