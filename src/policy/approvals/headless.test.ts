// oxlint-disable-next-line no-restricted-imports -- only a real shell knows what it makes of a line.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { verifies } from '../../../test/requirements.ts';
import { hashArguments } from '../args-hash.ts';
import type { AskedTool, CallQuestion, Decision } from '../decision.ts';
import { approvalRequired } from './headless.ts';

const ask: Decision = {
  effect: 'ask',
  by: { kind: 'default', path: 'call.write' },
  reason: 'It writes.',
  offers: ['once', 'session', 'tool'],
};

function question(tool: Partial<AskedTool>, trust: 'none' | 'kept' = 'kept'): CallQuestion {
  return {
    action: 'call',
    principal: 'me',
    requester: { kind: 'program', id: 'p' },
    now: 0,
    server: { id: 'github', key: 'k', fingerprint: 'f', trust },
    tool: { name: 'create_issue', risk: 'write', hash: 'h', flags: [], quarantined: false, ...tool },
    args: { title: 'x' },
    origins: [],
  };
}

verifies(['P7'], 'without a person a call ends with the exact command that grants it', () => {
  const error = approvalRequired(question({}), ask);
  expect(error.toView()).toMatchObject({
    code: 'approval_required',
    owner: 'you',
    server: 'github',
    next: 'plug grants add github/create_issue',
    details: {
      tool: 'create_issue',
      server: 'github',
      risk: 'write',
      argsHash: hashArguments({ title: 'x' }),
      decision: ask,
      grant: 'plug grants add github/create_issue',
    },
  });
  expect(JSON.parse(JSON.stringify(error.toView()))).toEqual(error.toView());
});

verifies(['P7'], 'what is destructive, flagged or asked by a rule is granted for once only', () => {
  const once = 'plug grants add github/create_issue --once';
  const flag = { kind: 'look_alike', field: 'name', detail: 'x' } as const;
  expect(approvalRequired(question({ risk: 'destructive' }), ask).next).toBe(once);
  expect(approvalRequired(question({ flags: [flag] }), ask).next).toBe(once);
  const byRule: Decision = { ...ask, by: { kind: 'rule', name: 'r' }, offers: ['once'] };
  expect(approvalRequired(question({}), byRule).next).toBe(once);
  const origin = { server: 'a', tool: 't', argument: 'x', sample: 's', exact: true };
  const byData: Decision = { ...byRule, by: { kind: 'data_rule', name: 'r', origin } };
  expect(approvalRequired(question({}), byData).next).toBe(
    `${once} --args-hash ${hashArguments({ title: 'x' })}`,
  );
});

verifies(['P7'], 'a read of a server that is not trusted names trust as the other way', () => {
  const error = approvalRequired(question({ risk: 'read' }, 'none'), ask);
  expect(error.next).toBe('plug grants add github/create_issue');
  expect(error.details?.['trust']).toBe('plug trust github');
  expect(error.message).toContain('plug trust github');
  expect(approvalRequired(question({ risk: 'read' }), ask).details).not.toHaveProperty('trust');
});

/** A `plug` that writes down what the shell gave it, for a printed command to be typed as it is. */
function typed(commands: readonly string[]): readonly (readonly string[])[] {
  const folder = mkdtempSync(join(tmpdir(), 'plug-shell-'));
  try {
    writeFileSync(join(folder, 'plug'), `#!/bin/sh\nprintf '%s\\0' "$#" "$@"\n`, { mode: 0o755 });
    const env = { PATH: `${folder}:/usr/bin:/bin`, HOME: folder };
    const words = execFileSync('sh', ['-c', commands.join('\n')], { env, encoding: 'utf8' }).split('\0');
    return commands.map(() => words.splice(0, Number(words.shift())));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

verifies(
  ['P7'],
  'the printed command works as typed, whatever the tool is called',
  () => {
    const names = [
      'plain_name',
      'two words',
      `it's "quoted"`,
      '$HOME and `id` and $(id)',
      '*?[a]~{b,c}',
      'a;b|c&d>e<f#g',
      String.raw`back\slash\n100%s`,
      '-dash',
      'ümläut 名前',
      'line\nbreak',
      'tab\tand\rreturn\u001b[31m',
      'zero\u200bwidth \u{e0041} %',
    ];
    const commands = names.map((name) => approvalRequired(question({ name }), ask).next ?? '');
    expect(typed(commands)).toEqual(names.map((name) => ['grants', 'add', `github/${name}`]));
    for (const command of commands) expect(command).not.toMatch(/[\p{Cc}\p{Cf}]/u);
  },
  20_000,
);

test('any name that a command line can carry arrives whole', () => {
  const names = fc.sample(fc.string({ unit: 'binary', minLength: 1, maxLength: 12 }), {
    numRuns: 20,
    seed: 7,
  });
  const commands = names.map((name) => approvalRequired(question({ name }), ask).next ?? '');
  const carried = names.filter((_, index) => commands[index]?.startsWith('plug '));
  expect(carried.length).toBeGreaterThan(10);
  expect(typed(commands.filter((command) => command.startsWith('plug ')))).toEqual(
    carried.map((name) => ['grants', 'add', `github/${name}`]),
  );
});

test('a name that no command line can carry is said to need a person', () => {
  for (const name of ['nul\0', 'ends with newline\n', 'lone \ud800']) {
    const error = approvalRequired(question({ name }), ask);
    expect(error.next).toBe('Call it from a terminal, the page or a host that can ask.');
    expect(error.details).not.toHaveProperty('grant');
  }
});
