/* oxlint-disable unicorn/no-thenable -- “then” is a word of the rules file */
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { verifies } from '../../test/requirements.ts';
import type { Flag } from '../catalog/tool.ts';
import { riskOf, type Risk } from '../catalog/risk.ts';
import { defineServer, fingerprintOf } from '../servers/definition.ts';
import { hashArguments } from './args-hash.ts';
import { decide } from './decide.ts';
import type { CallQuestion, DataOrigin, Effect, PolicyDefaults, Question, Trust } from './decision.ts';
import type { Grant, GrantScope } from './grant.ts';
import { GrantIndex } from './grants.ts';
import { shippedDefaults, type PolicySnapshot } from './policy.ts';
import { parseRules } from './rules/parse.ts';
import { ruleSetOf, type Rule } from './rules/rule.ts';

const NOW = Date.UTC(2026, 10, 15);
const flag: Flag = { kind: 'hidden_characters', field: 'description', detail: 'It hides U+200B.' };
const fromFiles: DataOrigin = {
  server: 'files',
  tool: 'read_file',
  argument: 'to',
  sample: 'top',
  exact: true,
};

interface Asked {
  readonly risk?: Risk;
  readonly trust?: Trust;
  readonly flags?: readonly Flag[];
  readonly quarantined?: boolean;
  readonly args?: CallQuestion['args'];
  readonly origins?: readonly DataOrigin[];
  readonly tool?: string;
}

function call({
  risk = 'write',
  trust = 'none',
  flags = [],
  args = {},
  tool = 'send',
  ...rest
}: Asked = {}): CallQuestion {
  return {
    action: 'call',
    principal: 'local',
    requester: { kind: 'host', id: 'host_1' },
    now: NOW,
    server: { id: 'mail', key: 'mail', fingerprint: 'f1', trust },
    tool: { name: tool, risk, hash: 'h1', flags, quarantined: rest.quarantined ?? false },
    args,
    origins: rest.origins ?? [],
  };
}

function ask(action: 'connect' | 'list', trust: Trust = 'none'): Question {
  const { principal, requester, now, server } = call({ trust });
  return { action, principal, requester, now, server };
}

function grant(scope: GrantScope, more: Partial<Grant> = {}): Grant {
  return {
    id: 'grant_1',
    principal: 'local',
    server: 'mail',
    fingerprint: 'f1',
    scope,
    session: false,
    source: 'plug grants add',
    createdAt: NOW - 1,
    ...more,
  };
}

const toolGrant: GrantScope = { kind: 'tool', tool: 'send', hash: 'h1' };

interface Given {
  readonly defaults?: PolicyDefaults;
  readonly rules?: readonly Rule[];
  readonly grants?: readonly Grant[];
  readonly readOnly?: boolean;
}

function policy({
  defaults = shippedDefaults,
  rules = [],
  grants = [],
  readOnly = false,
}: Given = {}): PolicySnapshot {
  return { defaults, rules: ruleSetOf(rules), grants: new GrantIndex(grants), readOnly };
}

async function written(...rules: readonly unknown[]): Promise<readonly Rule[]> {
  const parsed = await parseRules(JSON.stringify({ rules }));
  if (parsed.kind === 'broken') throw new Error(JSON.stringify(parsed.problems));
  return parsed.rules.all;
}

verifies(
  ['P2'],
  'a new server asks before it is connected, lists are allowed, and a call meets the default of its risk',
  () => {
    expect(decide(ask('connect'), policy())).toMatchObject({
      effect: 'ask',
      by: { kind: 'default', path: 'connect' },
    });
    expect(decide(ask('connect', 'kept'), policy())).toMatchObject({
      effect: 'allow',
      by: { kind: 'trust' },
    });
    expect(decide(ask('list'), policy()).effect).toBe('allow');
    const effects = (trust: Trust): readonly Effect[] =>
      (['read', 'write', 'destructive', 'unknown'] as const).map(
        (risk) => decide(call({ risk, trust }), policy()).effect,
      );
    expect(effects('none')).toEqual(['ask', 'ask', 'ask', 'ask']);
    expect(effects('session')).toEqual(['allow', 'ask', 'ask', 'ask']);
    expect(effects('kept')).toEqual(['allow', 'ask', 'ask', 'ask']);
  },
);

verifies(['P2'], 'every default can be changed, and only what destroys cannot be allowed by one', () => {
  const all = (effect: Effect): PolicyDefaults => ({
    connect: effect,
    list: effect,
    call: { read: effect, write: effect, destructive: effect, unknown: effect },
  });
  for (const effect of ['allow', 'ask', 'deny'] as const) {
    const changed = policy({ defaults: all(effect) });
    expect(decide(ask('connect'), changed).effect).toBe(effect);
    expect(decide(ask('list'), changed).effect).toBe(effect);
    for (const risk of ['read', 'write', 'unknown'] as const) {
      expect(decide(call({ risk, trust: 'kept' }), changed).effect).toBe(effect);
    }
    const destructive = decide(call({ risk: 'destructive', trust: 'kept' }), changed);
    expect(destructive.effect).toBe(effect === 'allow' ? 'ask' : effect);
    expect(destructive.by).toEqual({ kind: 'default', path: 'call.destructive' });
  }
});

verifies(['P1'], 'every answer names the rule that decided, in a sentence and for a program', async () => {
  const rules = await written(
    { name: 'no strangers', when: { tool: 'mail/send', args: { to: '*@evil.example' } }, then: 'deny' },
    { name: 'files stay here', from: 'files', to: 'mail', then: 'deny' },
    { name: 'drafts are fine', when: { tool: 'mail/draft' }, then: 'allow' },
  );
  const given = policy({ rules, grants: [grant(toolGrant)] });
  const denied = decide(call({ args: { to: 'x@evil.example' } }), given);
  expect(denied).toMatchObject({ effect: 'deny', by: { kind: 'rule', name: 'no strangers' } });
  expect(denied.reason).toBe('The rule “no strangers” denies mail/send.');
  expect(decide(call({ args: { to: 'a' }, origins: [fromFiles] }), given)).toMatchObject({
    effect: 'deny',
    by: { kind: 'data_rule', name: 'files stay here', origin: fromFiles },
    reason:
      'The rule “files stay here” denies mail/send: its argument to holds what came from files/read_file.',
  });
  expect(decide(call(), given)).toMatchObject({ effect: 'allow', by: { kind: 'grant', id: 'grant_1' } });
  expect(decide(call({ tool: 'draft' }), given).by).toEqual({ kind: 'rule', name: 'drafts are fine' });
  expect(decide(call({ risk: 'read', trust: 'kept' }), policy()).by).toEqual({
    kind: 'trust',
    trust: 'kept',
  });
  expect(decide(call({ quarantined: true }), given)).toMatchObject({
    effect: 'deny',
    by: { kind: 'quarantine' },
  });
  expect(decide(call({ quarantined: true }), given).reason).toContain(
    'mail/send changed since it was approved',
  );
  expect(decide(call({ flags: [flag] }), policy()).by).toEqual({ kind: 'flag', flag });
});

verifies(
  ['P1'],
  'what cannot be decided is denied: a broken question, a test that throws, an endless argument',
  () => {
    const throwing: Rule = {
      kind: 'rule',
      name: 'broken',
      effect: 'allow',
      actions: ['call'],
      args: [
        {
          path: 'to',
          says: '',
          test: () => {
            throw new Error('boom');
          },
          finds: () => false,
        },
      ],
    };
    const rules = [throwing];
    expect(decide(call({ args: { to: 'a' } }), policy({ rules }))).toMatchObject({
      effect: 'deny',
      by: { kind: 'undecidable' },
    });
    const asks: Rule = {
      ...throwing,
      effect: 'ask',
      args: [{ path: 'to', says: '', test: () => false, finds: () => false }],
    };
    const long = call({ args: { to: 'x'.repeat(300_000) } });
    expect(decide(long, policy({ rules: [asks] })).by.kind).toBe('undecidable');
    expect(decide(long, policy()).effect).toBe('ask');
    const { server: _, ...noServer } = call();
    // A face that is mistaken can hand in anything.
    expect(decide(noServer as Question, policy())).toMatchObject({
      effect: 'deny',
      by: { kind: 'undecidable' },
    });
    expect(decide(call(), {} as PolicySnapshot).effect).toBe('deny');
  },
);

verifies(
  ['P2'],
  'neither trust nor a rule nor a default lets a flagged tool run; a grant of that very tool does',
  async () => {
    const rules = await written({ name: 'all', when: { server: '*' }, then: 'allow' });
    const defaults = { ...shippedDefaults, call: { ...shippedDefaults.call, write: 'allow' } } as const;
    for (const risk of ['read', 'write', 'unknown'] as const) {
      const flagged = call({ risk, trust: 'kept', flags: [flag] });
      const reads = grant({ kind: 'reads' });
      expect(decide(flagged, policy({ rules, defaults, grants: [reads] }))).toMatchObject({
        effect: 'ask',
        by: { kind: 'flag' },
        offers: ['once'],
      });
      expect(decide(flagged, policy({ grants: [grant(toolGrant)] })).effect).toBe('allow');
      expect(decide(flagged, policy({ grants: [grant({ ...toolGrant, hash: 'h0' })] })).effect).toBe('ask');
    }
  },
);

verifies(
  ['P2', 'P4'],
  'what destroys always asks: only a grant for once, for given arguments or until a date counts',
  async () => {
    const rules = await written({ name: 'all', when: { tool: 'mail/*' }, then: 'allow' });
    const question = call({ risk: 'destructive', trust: 'kept', args: { box: 'spam' } });
    const effect = (given: Grant): Effect => decide(question, policy({ rules, grants: [given] })).effect;
    expect(decide(question, policy({ rules }))).toMatchObject({
      effect: 'ask',
      offers: ['once', 'arguments'],
    });
    expect(effect(grant(toolGrant))).toBe('ask');
    expect(effect(grant(toolGrant, { session: true }))).toBe('ask');
    expect(effect(grant({ ...toolGrant, kind: 'arguments', pattern: { box: '*' } }))).toBe('ask');
    expect(effect(grant({ ...toolGrant, kind: 'arguments', pattern: { box: 'sp*' } }))).toBe('allow');
    expect(effect(grant({ ...toolGrant, kind: 'once' }))).toBe('allow');
    expect(effect(grant(toolGrant, { until: NOW + 1 }))).toBe('allow');
    expect(effect(grant(toolGrant, { until: NOW }))).toBe('ask');
  },
);

verifies(
  ['P2', 'P8'],
  'a rule that asks is not silenced by a lasting grant, only by an answer for one call',
  async () => {
    const rules = await written({ name: 'outside', when: { args: { to: '*@*' } }, then: 'ask' });
    const question = call({ args: { to: 'a@b' } });
    const lasting = [
      grant(toolGrant),
      grant({ ...toolGrant, kind: 'arguments', pattern: { to: '*' } }, { id: 'g2' }),
    ];
    expect(decide(question, policy({ rules, grants: lasting }))).toMatchObject({
      effect: 'ask',
      offers: ['once'],
    });
    const once = grant({ ...toolGrant, kind: 'once' }, { id: 'g3' });
    expect(decide(question, policy({ rules, grants: [...lasting, once] })).by).toEqual({
      kind: 'grant',
      id: 'g3',
    });
    const data = await written({ name: 'data', from: 'files/*', to: 'm*', then: 'ask' });
    const carrying = call({ args: { to: 'a' }, origins: [fromFiles] });
    expect(decide(carrying, policy({ rules: data, grants: [once] })).effect).toBe('ask');
    const bound = grant({ ...toolGrant, kind: 'once', argsHash: hashArguments(carrying.args) });
    expect(decide(carrying, policy({ rules: data, grants: [bound] })).effect).toBe('allow');
    const other = grant({ ...toolGrant, kind: 'once', argsHash: hashArguments({ to: 'b' }) });
    expect(decide(carrying, policy({ rules: data, grants: [other] })).effect).toBe('ask');
  },
);

verifies(['P2'], 'the card offers what would hold: never “always” for what destroys or is flagged', () => {
  const offers = (asked: Asked): readonly string[] => decide(call(asked), policy()).offers;
  expect(offers({ risk: 'read' })).toEqual(['once', 'session', 'tool', 'reads', 'arguments']);
  expect(offers({ risk: 'write' })).toEqual(['once', 'session', 'tool', 'arguments']);
  expect(offers({ risk: 'unknown' })).toEqual(['once', 'session', 'tool', 'arguments']);
  expect(offers({ risk: 'destructive' })).toEqual(['once', 'arguments']);
  expect(offers({ risk: 'read', flags: [flag] })).toEqual(['once']);
  expect(offers({ quarantined: true })).toEqual([]);
});

verifies(
  ['P3', 'P4'],
  'a repository copied elsewhere inherits neither the trust nor the grants of the first',
  () => {
    // The same entry of two folders: what would run is another thing, and so is its key.
    const at = (cwd: string): string =>
      fingerprintOf(
        defineServer({ id: 'mail', endpoint: { kind: 'stdio', command: './mail', args: [], cwd, env: {} } }),
      );
    const grants = [grant(toolGrant, { server: 'mail@of-a', fingerprint: at('/a') })];
    const from = (key: string, cwd: string): Effect =>
      decide(
        { ...call(), server: { id: 'mail', key, fingerprint: at(cwd), trust: 'none' } },
        policy({ grants }),
      ).effect;
    expect(from('mail@of-a', '/a')).toBe('allow');
    expect(from('mail@of-b', '/b')).toBe('ask');
    expect(from('mail@of-b', '/a')).toBe('ask');
    expect(from('mail@of-a', '/b')).toBe('ask');
  },
);

verifies(['P2', 'P3', 'attack:G7'], 'readOnlyHint on a server that is not trusted lets nothing run', () => {
  const hinted = riskOf({ name: 'frobnicate', annotations: { readOnlyHint: true } }).risk;
  const plain = riskOf({ name: 'frobnicate' }).risk;
  for (const risk of [hinted, plain, 'read'] as const) {
    expect(decide(call({ risk, trust: 'none' }), policy()).effect).toBe('ask');
  }
});

// ── Properties ─────────────────────────────────────────────────────────────

const anEffect = fc.constantFrom<Effect>('allow', 'ask', 'deny');
const aRisk = fc.constantFrom<Risk>('read', 'write', 'destructive', 'unknown');
const someArgs = fc.dictionary(
  fc.constantFrom('to', 'body', 'x.y'),
  fc.oneof(fc.constantFrom('a', 'b', 'ab'), fc.integer(), fc.array(fc.constantFrom('a', 'b'))),
);
const aQuestion: fc.Arbitrary<CallQuestion> = fc
  .record({
    risk: aRisk,
    trust: fc.constantFrom<Trust>('none', 'session', 'kept'),
    flags: fc.constantFrom([], [flag]),
    quarantined: fc.boolean(),
    args: someArgs,
    origins: fc.constantFrom([], [fromFiles]),
    tool: fc.constantFrom('send', 'draft'),
  })
  .map(call);
const defaultsArb: fc.Arbitrary<PolicyDefaults> = fc.record({
  connect: anEffect,
  list: anEffect,
  call: fc.record({ read: anEffect, write: anEffect, destructive: anEffect, unknown: anEffect }),
});
const aRule: fc.Arbitrary<Rule> = fc.oneof(
  fc.record({
    kind: fc.constant('rule' as const),
    name: fc.string({ minLength: 1 }),
    effect: anEffect,
    actions: fc.constant(['call'] as const),
    tool: fc.constantFrom('*/*', 'mail/send', 'mail/d*', 'other/*'),
    args: fc.constantFrom(
      [],
      [
        {
          path: 'to',
          says: 'to is a',
          test: (text: string) => text === 'a',
          finds: (text: string) => text === 'a',
        },
      ],
    ),
  }),
  fc.record({
    kind: fc.constant('data_rule' as const),
    name: fc.string({ minLength: 1 }),
    effect: fc.constantFrom('ask' as const, 'deny' as const),
    from: fc.constantFrom('files', '*', 'files/read_*', 'web'),
    to: fc.constantFrom('mail', 'mail/draft', '*'),
  }),
);
const aScope: fc.Arbitrary<GrantScope> = fc
  .record({
    kind: fc.constantFrom('once' as const, 'tool' as const, 'reads' as const, 'arguments' as const),
    tool: fc.constantFrom('send', 'draft'),
    hash: fc.constantFrom('h1', 'h1', 'h0'),
    pattern: fc.constantFrom({ to: 'a*' }, { to: '*' }, { body: 'b' }),
  })
  .map(({ kind, tool, hash, pattern }) =>
    kind === 'reads' ? { kind } : kind === 'arguments' ? { kind, tool, hash, pattern } : { kind, tool, hash },
  );
const grantsArb = fc
  .array(
    fc.record({
      scope: aScope,
      fingerprint: fc.constantFrom('f1', 'f1', 'f0'),
      late: fc.option(fc.boolean()),
    }),
    { maxLength: 5 },
  )
  .map((all) =>
    all.map(({ scope, fingerprint, late }, index) =>
      grant(scope, {
        id: `g${index}`,
        fingerprint,
        ...(late === null ? {} : { until: NOW + (late ? -1 : 1) }),
      }),
    ),
  );
const aPolicy = fc.record({
  defaults: defaultsArb,
  rules: fc.array(aRule, { maxLength: 4 }),
  grants: grantsArb,
});

const RANK: Readonly<Record<Effect, number>> = { deny: 0, ask: 1, allow: 2 };
const RUNS = { numRuns: 2_000 };

verifies(
  ['P1'],
  'whatever it is asked, with whatever policy, it answers, and nonsense is never allowed',
  () => {
    fc.assert(
      fc.property(fc.anything(), fc.anything(), (question, given) => {
        // Types cannot stop what comes over a wire.
        expect(decide(question as Question, given as PolicySnapshot).effect).toBe('deny');
      }),
      RUNS,
    );
    fc.assert(
      fc.property(
        aQuestion,
        aPolicy,
        fc.constantFrom('principal', 'server', 'tool', 'args', 'now', 'origins'),
        fc.anything(),
        (question, given, field, junk) => {
          const made = decide({ ...question, [field]: junk }, policy(given));
          expect(['allow', 'ask', 'deny']).toContain(made.effect);
          if (made.effect === 'allow' && field === 'tool') expect(junk).toHaveProperty('hash');
        },
      ),
      RUNS,
    );
    fc.assert(
      fc.property(aQuestion, aPolicy, (question, given) => {
        const once = decide(question, policy(given));
        expect(once.reason).not.toBe('');
        expect(decide(question, policy(given))).toEqual(once);
      }),
      RUNS,
    );
  },
);

verifies(
  ['P1', 'P2'],
  'a rule that denies wins over everything, wherever it stands, and one more never allows more',
  () => {
    fc.assert(
      fc.property(aQuestion, aPolicy, aRule, fc.nat(4), (question, given, extra, at) => {
        const before = decide(question, policy(given));
        const deny = { ...extra, effect: 'deny' as const };
        const after = decide(question, policy({ ...given, rules: given.rules.toSpliced(at, 0, deny) }));
        expect(RANK[after.effect]).toBeLessThanOrEqual(RANK[before.effect]);
        const alone = decide(question, policy({ rules: [deny] }));
        if (alone.by.kind === 'rule' || alone.by.kind === 'data_rule') expect(after.effect).toBe('deny');
      }),
      RUNS,
    );
  },
);

verifies(['P9'], 'nothing lifts read-only mode, and it changes nothing for what reads', () => {
  const bars = [undefined, { by: 'profile', name: 'look' }, { by: 'caller' }] as const;
  fc.assert(
    fc.property(
      aQuestion,
      aPolicy,
      fc.constantFrom(...bars),
      fc.boolean(),
      (question, given, bar, readOnly) => {
        const before = decide(question, policy(given));
        const after = decide({ ...question, bar }, policy({ ...given, readOnly }));
        const isFree = question.tool.risk === 'read' || (bar === undefined && !readOnly);
        const by = { kind: 'read_only', bar: readOnly ? { by: 'switch' } : bar };
        if (isFree) expect(after).toEqual(before);
        else expect(after).toMatchObject({ effect: 'deny', by, offers: [] });
      },
    ),
    RUNS,
  );
});

verifies(['P4'], 'a grant taken away never allows more', () => {
  fc.assert(
    fc.property(aQuestion, aPolicy, fc.nat(4), (question, given, at) => {
      const before = decide(question, policy(given));
      const after = decide(question, policy({ ...given, grants: given.grants.toSpliced(at, 1) }));
      expect(RANK[after.effect]).toBeLessThanOrEqual(RANK[before.effect]);
    }),
    RUNS,
  );
});

verifies(
  ['P2'],
  'without a grant nothing that destroys, is flagged or is quarantined is ever allowed',
  () => {
    fc.assert(
      fc.property(aQuestion, aPolicy, (question, given) => {
        const { effect, by } = decide(question, policy(given));
        const { risk, flags, quarantined } = question.tool;
        if (quarantined) expect(effect).toBe('deny');
        if (effect === 'allow' && (risk === 'destructive' || flags.length > 0)) expect(by.kind).toBe('grant');
      }),
      RUNS,
    );
  },
);

verifies(['P2'], 'on a server that is not trusted a read is treated like what is unknown', () => {
  fc.assert(
    fc.property(aQuestion, aPolicy, (question, { defaults }) => {
      const as = (risk: Risk): Effect => {
        const { tool, server } = question;
        const asked: CallQuestion = {
          ...question,
          tool: { ...tool, risk, flags: [] },
          server: { ...server, trust: 'none' },
        };
        return decide(asked, policy({ defaults })).effect;
      };
      expect(as('read')).toBe(as('unknown'));
    }),
    RUNS,
  );
});

test('a path reaches own fields only, and a pattern must fit every value that it reaches', async () => {
  const holds = (pattern: Readonly<Record<string, string>>, args: CallQuestion['args']): boolean =>
    decide(call({ args }), policy({ grants: [grant({ ...toolGrant, kind: 'arguments', pattern })] }))
      .effect === 'allow';
  expect(holds({ to: '*@acme.com' }, { to: 'a@acme.com' })).toBe(true);
  expect(holds({ 'to.*': '*@acme.com' }, { to: ['a@acme.com', 'b@acme.com'] })).toBe(true);
  expect(holds({ 'to.*': '*@acme.com' }, { to: ['a@acme.com', 'b@evil.com'] })).toBe(false);
  expect(holds({ 'to.0': 'a*' }, { to: ['a', 'b'] })).toBe(true);
  expect(holds({ 'to.*': '*' }, { to: [] })).toBe(false);
  expect(holds({ to: '*' }, { to: { deep: 'a' } })).toBe(false);
  expect(holds({ 'constructor.name': '*' }, {})).toBe(false);
  expect(holds({ 'to.length': '*' }, { to: ['a'] })).toBe(false);
  expect(holds({ __proto__: '*', to: '*' }, { to: 'a' })).toBe(true);
  expect(holds({ 'a.b': 'x' }, { a: { b: 'x' }, 'a.b': 'y' })).toBe(false);
  expect(holds({ count: '3', on: 'true', none: 'null' }, { count: 3, on: true, none: null })).toBe(true);
  // A rule that stops something finds it however it is wrapped.
  const rules = await written({
    name: 'x',
    when: { args: { body: { matches: '(?i)secret' } } },
    then: 'deny',
  });
  for (const body of ['my Secret', ['a', 'SECRET'], { deep: [{ x: 'secret' }] }, { secret: 1 }]) {
    expect(decide(call({ args: { body } }), policy({ rules })).effect).toBe('deny');
  }
  expect(decide(call({ args: { other: 'secret' } }), policy({ rules })).effect).toBe('ask');
});

verifies(
  ['P2', 'P1'],
  'a form that its person sent is the yes to a call, but not to a destructive, flagged, barred or denied one',
  async () => {
    const sent = (asked: Asked): CallQuestion => ({ ...call(asked), consent: { kind: 'form' } });
    for (const risk of ['read', 'write', 'unknown'] as const) {
      expect(decide(sent({ risk }), policy())).toMatchObject({ effect: 'allow', by: { kind: 'consent' } });
      expect(decide(call({ risk }), policy())).toMatchObject({ effect: 'ask' });
    }
    const [deny, mind] = await written(
      { name: 'never', then: 'deny', when: { tool: 'mail/send' } },
      { name: 'files stay here', from: 'files/*', to: 'm*', then: 'ask' },
    );
    expect(decide(sent({ risk: 'destructive' }), policy())).toMatchObject({ effect: 'ask' });
    expect(decide(sent({ flags: [flag] }), policy())).toMatchObject({ effect: 'ask', by: { kind: 'flag' } });
    expect(decide(sent({ quarantined: true }), policy())).toMatchObject({ effect: 'deny' });
    expect(decide(sent({}), policy({ readOnly: true }))).toMatchObject({ effect: 'deny' });
    expect(decide(sent({}), policy({ rules: deny ? [deny] : [] }))).toMatchObject({ effect: 'deny' });
    expect(decide(sent({ origins: [fromFiles] }), policy({ rules: mind ? [mind] : [] }))).toMatchObject({
      effect: 'ask',
      by: { kind: 'data_rule' },
    });
  },
);
