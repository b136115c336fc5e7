import { expect } from 'vitest';
import { verifies } from '../../../test/requirements.ts';
import { fillPlan } from './fill.ts';
import { planPasted, type PastedLike } from './pasted-plan.ts';
import type { InstallPlan } from './plan.ts';
import { renderPlan } from './render.ts';

const isDangerousVariable = (name: string): boolean => ['NODE_OPTIONS', 'LD_PRELOAD'].includes(name);

function link(given: Partial<PastedLike>): ReturnType<typeof planPasted> {
  const server = { name: 'tool', transport: 'stdio', needs: [], ...given } as const;
  return planPasted(server, { origin: 'link', isDangerousVariable });
}

function planned(result: ReturnType<typeof planPasted>): InstallPlan {
  if (result.kind === 'refused') throw new Error(result.why);
  return result.plan;
}

verifies(
  ['S14', 'attack:C3'],
  'a link is shown in full, every character of it, and the answer is no unless the user says yes',
  () => {
    const long = 'x'.repeat(10_000);
    const view = renderPlan(
      planned(link({ command: 'node', args: ['server.js', long, "a b'c", '; touch /tmp/x'] })),
    );
    expect(view).toMatchObject({ untrusted: true, defaultAnswer: 'no', from: 'a link from another person' });
    expect(view.command).toBe(String.raw`node server.js ${long} 'a b'\''c' '; touch /tmp/x'`);
    expect(view.warnings[0]).toMatchObject({ kind: 'untrusted-link' });
    const paste = planPasted(
      {
        name: 'tool',
        transport: 'stdio',
        command: 'node',
        args: ['\u001b[2Jx', 'a\u202eb', 'new\nline'],
        needs: [],
      },
      { origin: 'paste' },
    );
    const shown = renderPlan(planned(paste));
    expect(shown.argv).toEqual([
      'node',
      String.raw`\u{1b}[2Jx`,
      String.raw`a\u{202e}b`,
      String.raw`new\u{a}line`,
    ]);
    expect(shown.defaultAnswer).toBe('yes');
  },
);

verifies(['S14'], 'a link with hidden characters, a shell, code or a dangerous variable is refused', () => {
  const why = (given: Partial<PastedLike>): string => {
    const result = link(given);
    return result.kind === 'refused' ? result.why : 'planned';
  };
  expect(why({ command: 'node', args: ['a\u001b[31m'] })).toMatch(/cannot be seen/);
  expect(why({ command: 'node', args: ['a\u202e'] })).toMatch(/cannot be seen/);
  for (const command of ['bash', '/bin/sh', 'C:\\Windows\\cmd.exe', 'PowerShell', 'sudo']) {
    expect(why({ command, args: ['-c', 'x'] })).toMatch(/shell/);
  }
  expect(why({ command: 'npx', args: ['-c', 'evil'] })).toMatch(/run code/);
  expect(why({ command: 'npx', args: ['--call=evil'] })).toMatch(/run code/);
  expect(why({ command: 'node', args: ['-e', 'evil()'] })).toMatch(/run code/);
  expect(why({ command: 'python3', args: ['-c', 'evil()'] })).toMatch(/run code/);
  expect(why({ command: 'npx', args: ['tool'], env: { NODE_OPTIONS: '--require=/tmp/x' } })).toMatch(
    /NODE_OPTIONS/,
  );
  expect(why({ command: 'npx', args: ['tool@1.0.0'], env: { LOG: '1' } })).toBe('planned');
});

verifies(['S14'], 'the same in a paste of the user is planned with a warning', () => {
  const server = { name: 't', transport: 'stdio', command: 'npx', args: ['tool@1.0.0'], needs: [] } as const;
  const options = { origin: 'paste', isDangerousVariable } as const;
  const plan = planned(planPasted({ ...server, env: { LD_PRELOAD: '/x.so' } }, options));
  expect(plan.warnings.map(({ kind }) => kind)).toEqual(['dangerous-variable']);
  expect(renderPlan(plan).defaultAnswer).toBe('no');
});

verifies(['S14'], 'secrets that come with a link are not used: the user gives their own', () => {
  const plan = planned(
    link({ command: 'npx', args: ['tool@1.0.0'], env: { API_KEY: 'planted-by-somebody', REGION: 'eu' } }),
  );
  expect(plan.form).toMatchObject([{ id: 'env:API_KEY', kind: 'secret', required: true }]);
  expect(JSON.stringify(renderPlan(plan))).not.toContain('planted');
  const { definition } = fillPlan(plan, { 'env:API_KEY': 'mine' });
  expect(definition.endpoint).toMatchObject({ env: { API_KEY: '${vault:tool/API_KEY}', REGION: 'eu' } });
});

verifies(['S14'], 'what a paste leaves open is asked for, however it is marked', () => {
  const server: PastedLike = {
    name: 'My Tool',
    transport: 'stdio',
    command: 'uvx',
    args: ['tool==1.0.0', '--db', '<DB_NAME>', '--url=https://{HOST}/x'],
    env: { API_KEY: 'your-api-key', EMPTY: '', FIXED: 'yes' },
    needs: ['API_KEY', 'DB_NAME', 'HOST'],
  };
  const plan = planned(planPasted(server, { origin: 'paste' }));
  expect(plan.form.map(({ id, kind }) => [id, kind])).toEqual([
    ['var:DB_NAME', 'text'],
    ['var:HOST', 'text'],
    ['env:API_KEY', 'secret'],
    ['env:EMPTY', 'text'],
  ]);
  const values = { 'var:DB_NAME': 'main', 'var:HOST': 'h', 'env:API_KEY': 'k', 'env:EMPTY': 'e' };
  expect(fillPlan(plan, values, { id: 'my-tool' }).definition).toMatchObject({
    endpoint: {
      args: ['tool==1.0.0', '--db', 'main', '--url=https://h/x'],
      env: { API_KEY: '${vault:my-tool/API_KEY}', EMPTY: 'e', FIXED: 'yes' },
    },
    package: { registry: 'pypi', name: 'tool', version: '1.0.0' },
  });
  const remote: PastedLike = {
    name: 'r',
    transport: 'http',
    url: 'https://x.example/mcp',
    headers: { Authorization: 'Bearer ${TOKEN}' },
    needs: ['TOKEN'],
  };
  const filled = fillPlan(planned(planPasted(remote, { origin: 'paste' })), { 'var:TOKEN': 't' });
  expect(filled.definition.endpoint).toMatchObject({ headers: { Authorization: 'Bearer ${vault:r/TOKEN}' } });
});

verifies(['S14'], 'the package of a command is found behind its options', () => {
  const nameOf = (command: string, ...args: readonly string[]): string | undefined => {
    const plan = planPasted({ name: 'x', transport: 'stdio', command, args, needs: [] }, { origin: 'paste' });
    return planned(plan).package?.name;
  };
  expect(nameOf('npx', '-y', '@a/b@1.0.0')).toBe('@a/b');
  expect(nameOf('npx.cmd', '--registry', 'https://r.example', 'tool')).toBe('tool');
  expect(nameOf('npx', '--package=tool', 'bin')).toBe('tool');
  expect(nameOf('uvx', '--python', '3.12', '--from', 'pack', 'script')).toBe('pack');
  expect(nameOf('docker', 'run', '-i', '--rm', '-e', 'KEY', '-v', '/a:/b', 'ghcr.io/a/b:1')).toBe(
    'ghcr.io/a/b',
  );
  expect(nameOf('uv', 'run', 'server.py')).toBeUndefined();
  expect(nameOf('npm', 'run', 'start')).toBeUndefined();
  expect(nameOf('node', 'server.js')).toBeUndefined();
});
