import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { verifies } from '../requirements.ts';
import { patience } from '../suite/patience.ts';
import { scriptedServer, toolNamed } from './catalog-server.ts';
import { fixtureCommand, newPlug, type Plug } from './plug-command.ts';
import { installShells, tab, typeTabs } from './shells.ts';

const SHELLS = ['bash', 'zsh', 'fish'] as const;
const LONG_MS = 120_000;

beforeAll(() => installShells(SHELLS), patience(300_000));

/** What stands before a tab is what would be inserted; fish shows the rest beside it. */
function values(found: readonly string[]): readonly string[] {
  return found.map((line) => line.split('\t', 1)[0] ?? '');
}

for (const shell of SHELLS) {
  verifies(
    ['U1'],
    `in ${shell} the Tab key completes commands, options, servers and tools, and starts no hub`,
    async () => {
      const plug = newPlug();
      const at = async (line: string): Promise<readonly string[]> => values(await tab(shell, plug, line));
      expect(await at('plug gra')).toEqual(['grants']);
      expect(await at('plug grants re')).toEqual(['revoke']);
      expect(await at('plug list --no-')).toEqual(['--no-color']);
      expect((await at('plug completion ')).toSorted()).toEqual(['bash', 'fish', 'zsh']);
      expect(await at('plug status ')).toEqual([]);
      expect(await plug.json('hub', 'status')).toMatchObject({ running: false });

      await plug.json('add', 'rich', '--', ...fixtureCommand('dual'));
      await plug.json('profile', 'save', 'triage', '--servers', 'rich');
      expect(await at('plug status ri')).toEqual(['rich']);
      expect(await at('plug call rich/ech')).toEqual(['rich/echo']);
      expect(await at('plug call rich/echo mes')).toEqual(['message=']);
      expect(await at('plug tools --profile tri')).toEqual(['triage']);
      writeFileSync(join(plug.cwd, 'issue.json'), '{}');
      expect((await at('plug parse iss')).join()).toMatch(/issue\.json|:files/);
    },
    LONG_MS,
  );
}

for (const shell of SHELLS) {
  verifies(
    ['U1'],
    `in ${shell}, a person's Tab puts the one command, server, tool or argument that fits on the line`,
    async () => {
      const plug = newPlug();
      await plug.json('add', 'rich', '--', ...fixtureCommand('dual'));
      const lines = ['plug gra', 'plug status ri', 'plug call rich/ech', 'plug call rich/echo mes'];
      expect(await typeTabs(shell, plug, lines)).toEqual([
        'plug grants ',
        'plug status rich ',
        'plug call rich/echo ',
        'plug call rich/echo message=',
      ]);
    },
    LONG_MS,
  );
}

verifies(
  ['U1'],
  'what a server calls its tools and arguments cannot run anything in a shell that completes it',
  async () => {
    const plug = newPlug();
    const properties = Object.fromEntries(
      ['plain', '$(touch pwned)', '`touch pwned`', 'a b', 'evil\u001b[2J', 'two\nlines', ';touch pwned'].map(
        (name) => [name, { type: 'string', description: 'A\u001b[31m\nstranger’s text; $(touch pwned)' }],
      ),
    );
    const server = scriptedServer('odd', [
      toolNamed('echo', { inputSchema: { type: 'object', properties } }),
      toolNamed('$(touch pwned)'),
    ]);
    await plug.json('add', 'odd', '--', ...server.command);
    for (const shell of SHELLS) {
      const found = await tab(shell, plug, 'plug call odd/echo ');
      expect(values(found).join('\n'), shell).toContain('plain=');
      expect(values(found).join('\n'), shell).toMatch(/touch.*pwned/);
      // oxlint-disable-next-line no-control-regex -- that none gets through is what is shown here.
      expect(found.join('\n'), shell).not.toMatch(/[\u0000-\u0008\u000b-\u001f]/);
      expect(found.join('\n'), shell).not.toMatch(/evil|lines/);
      await tab(shell, plug, 'plug call odd/');
    }
    // What bash puts on the line is one word, whatever is in it.
    const words = await tab('bash', plug, 'plug call odd/echo ');
    expect(words).toContain(String.raw`\$\(touch\ pwned\)=`);
    expect(words).toContain(String.raw`\;touch\ pwned=`);
    expect(readdirSync(plug.cwd)).toEqual([]);
  },
  LONG_MS,
);

test('plug completion says where the script goes, and takes only shells that it knows', async () => {
  const plug: Plug = newPlug();
  for (const shell of SHELLS) {
    const { script, next } = await plug.json('completion', shell);
    expect((await plug('completion', shell)).stdout).toBe(script);
    expect(String(next)).toContain(`plug completion ${shell}`);
  }
  expect((await plug('completion', 'tcsh')).code).toBe(2);
});
