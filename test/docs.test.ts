import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { blocksOf, patternOf, root, steady, stepsOf, userPages } from './pages.ts';
import { useRegistryAt } from './scenarios/seen-npm.ts';
import { compileCache } from './suite/compile-cache.ts';
import { patience } from './suite/patience.ts';
import { quietHub } from './suite/quiet-hub.ts';

const SESSIONS = userPages.filter((page) => blocksOf(page).some(({ language }) => language === 'console'));

test.for(SESSIONS)(
  'every command in %s prints what the page says',
  { timeout: patience(120_000) },
  async (page) => {
    const reader = openReader({ npx: page === 'README.md' ? 'of npm' : 'installed' });
    onTestFinished(async () => void (await reader.run('plug hub stop')));
    let steps = 0;
    for (const block of blocksOf(page)) {
      if (block.language === 'json' && block.label !== '') reader.write(block.label, block.text);
      if (block.language !== 'console') continue;
      for (const { command, prints } of stepsOf(block)) {
        const printed = steady(await reader.run(command));
        expect(printed, `${page}: $ ${command}`).toMatch(patternOf(prints));
        steps += 1;
      }
    }
    expect(steps).toBeGreaterThan(0);
  },
);

test('a page that promises something else is found out', () => {
  const printed = steady('The hub (pid 7) has stopped.\nBye.\n');
  expect(printed).toMatch(patternOf(['The hub (pid 4242) has stopped.', 'Bye.']));
  expect(printed).toMatch(patternOf(['The … has stopped.', '…']));
  expect(printed).not.toMatch(patternOf(['The hub (pid 4242) has stopped.']));
  expect(printed).not.toMatch(patternOf(['The hub (pid 4242) has started.', 'Bye.']));
  expect(printed).not.toMatch(patternOf(['…', 'Hello.']));
});

const EXAMPLES = userPages.flatMap((page) =>
  blocksOf(page)
    .filter(({ label }) => label.startsWith('test/examples/'))
    .map(({ label, text }) => ({ page, label, text })),
);

test.for(EXAMPLES)('the example $label in $page is the file that is compiled and run', ({ label, text }) => {
  const file = readFileSync(join(root, label), 'utf8').replace('../../src/index.ts', 'plugboard');
  expect(file).toBe(text);
});

test('the examples of the library run', async () => {
  const reader = openReader({ npx: 'of npm' });
  expect(EXAMPLES.map(({ label }) => label)).toEqual([
    'test/examples/library.ts',
    'test/examples/watching.ts',
  ]);
  const library = await reader.run(`'${process.execPath}' ${root}test/examples/library.ts`);
  expect(library).toContain('17 tools, the first is everything/echo');
  expect(library).toContain(`[ { type: 'text', text: 'Echo: hello' } ]`);
  const watching = await reader.run(`'${process.execPath}' ${root}test/examples/watching.ts`);
  expect(watching).toContain('server-state');
  expect(watching).toContain('1 of 2');
});

interface Reader {
  /** Runs a line of a shell and answers what a terminal would show. */
  run(line: string): Promise<string>;
  write(file: string, text: string): void;
}

/**
 * Somebody who follows a page: an empty home, a project folder, and `plug`. Both are inside the
 * repository, so that npx finds the servers that are installed here and fetches nothing. npm's own
 * takes most of the time of a page, so that on all but one a stand-in starts the same servers.
 */
function openReader({ npx }: { readonly npx: 'of npm' | 'installed' }): Reader {
  mkdirSync(join(root, 'test/out'), { recursive: true });
  const home = mkdtempSync(join(root, 'test/out/home-'));
  const project = mkdtempSync(join(root, 'test/out/page-'));
  onTestFinished(() => {
    for (const folder of [home, project]) rmSync(folder, { recursive: true, force: true });
  });
  const bin = join(home, 'bin');
  mkdirSync(bin);
  // As npm links a program that is installed for all folders.
  symlinkSync(join(root, 'dist/bin.js'), join(bin, 'plug'));
  if (npx === 'installed') writeFileSync(join(bin, 'npx'), INSTALLED_NPX, { mode: 0o755 });
  // Versions are looked up nowhere.
  useRegistryAt(9, home);
  const path = [bin, dirname(process.execPath), process.env['PATH']].join(delimiter);
  const env = { HOME: home, PATH: path, ...compileCache, ...quietHub };
  return {
    run: async (line) => {
      const child = spawn('sh', ['-c', `{ ${line}\n} 2>&1`], {
        cwd: project,
        env,
        stdio: ['ignore', 'pipe', 'ignore'],
      });
      let shown = '';
      child.stdout.setEncoding('utf8').on('data', (text: string) => (shown += text));
      await once(child, 'close');
      return shown.replaceAll(project, '~/project').replaceAll(home, '~');
    },
    write: (file, text) => writeFileSync(join(project, file), text),
  };
}

/** Starts what is installed here, as npx does; each package has its program in this file. */
const INSTALLED_NPX = `#!/bin/sh
[ "$1" = -y ] && shift
package=$1
shift
exec '${process.execPath}' '${root}node_modules/'"$package/dist/index.js" "$@"
`;
