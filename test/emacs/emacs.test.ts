import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { readableOf, readConfigFile } from '../../src/servers/config-file.ts';
import { calls, startScriptedModel, text as says, type Step } from '../models/scripted-model.ts';
import { temporaryFolder } from '../servers/temporary-folder.ts';
import { verifies } from '../requirements.ts';
import {
  fixtureEntry,
  hasRealGptel,
  openEmacsWorld,
  playedEntry,
  runInEmacs,
  runSuites,
  type EmacsRun,
} from './emacs-world.ts';
import { nineServers } from './nine-servers.ts';
import { many, notes } from './played-tools.ts';

/** Runs in Emacs, each made by the first test that looks at it: what one says, several promises read. */
const runs = {
  working: once(async () => {
    const world = await openEmacsWorld((folder) => ({
      notes: playedEntry(folder, 'notes', notes),
      rich: fixtureEntry('legacy'),
    }));
    const suites = ['confirmation-tests', 'calls-tests', 'questions-tests', 'commands-tests'];
    if (!hasRealGptel) return runSuites(world, suites);
    await using model = await startScriptedModel();
    model.answer(...Array.from({ length: 14 }, () => writesOnce));
    const run = await runSuites(world, [...suites, 'conversation-tests'], {
      PLUG_TEST_MODEL: new URL(model.url).host,
    });
    return { ...run, asked: model.requests.map(({ body }) => JSON.stringify(body)) };
  }),
  catalog: once(async () => {
    const world = await openEmacsWorld((folder) => ({
      notes: playedEntry(folder, 'notes', notes),
      many: playedEntry(folder, 'many', many),
    }));
    return runSuites(world, ['registration-tests']);
  }),
  nine: once(async () => runSuites(await openEmacsWorld(await nineServers()), ['nine-tests'])),
  itself: once(() => {
    const folder = temporaryFolder();
    return runInEmacs(['package-tests'], { home: folder, folder, gptel: [] });
  }),
};

verifies(
  ['E1', 'C6', 'P5'],
  'whatever gptel is set to, nothing runs before a yes, and a denial is told',
  async () => expectPassed(await runs.working(), 'confirmation-'),
);

verifies(
  ['E1', 'C6'],
  'every call ends exactly once, whatever it answers, and quitting cancels it at its server',
  async () => expectPassed(await runs.working(), 'calls-'),
);

verifies(['E1', 'G6'], 'what a server asks is answered in Emacs, with its name in front', async () =>
  expectPassed(await runs.working(), 'questions-'),
);

verifies(
  ['E2', 'E3', 'E5'],
  'keys, texts, buffers and entry points are as documented, and other agents get their entry',
  async () => expectPassed(await runs.working(), 'commands-'),
);

verifies(
  ['E1', 'C5'],
  'the catalog is registered at once and in step, and other tools stay untouched',
  async () => expectPassed(await runs.catalog(), 'registration-'),
);

verifies(
  ['E2', 'E3', 'E4', 'C5'],
  'with nine servers, of which four fail, a chat opens at once, the others work, and no key is in Emacs',
  async () => {
    const run = await runs.nine();
    expectPassed(run, 'nine-');
    expect(run.said).not.toContain('SENTINEL');
  },
);

verifies(['E4'], 'the package compiles without a warning, and needs nothing but Emacs to load', async () =>
  expectPassed(await runs.itself(), 'package-'),
);

test('the nine servers of the example can be read, and each is one of the nine that are tried here', async () => {
  const path = fileURLToPath(new URL('../../docs/examples/nine-servers.json', import.meta.url));
  const file = await readConfigFile(path);
  expect(file).toMatchObject({ kind: 'ok', warnings: [] });
  const ids = readableOf(file)?.entries.map(({ key }) => key);
  expect(ids).toEqual(Object.keys((await nineServers())(temporaryFolder())));
});

test('every line of the checklist names tests that pass, or a reason', async () => {
  const passed = new Set<string>();
  for (const run of Object.values(runs)) for (const name of (await run()).passed) passed.add(name);
  const page = readFileSync(new URL('checklist.md', import.meta.url), 'utf8');
  const rows = [...page.matchAll(/^\| (?!Line|---)(.+?) +\| (.+?) +\|$/gm)];
  expect(rows.length).toBeGreaterThan(60);
  for (const [, line = '', proof = ''] of rows) {
    const names = [...proof.matchAll(/`([a-z-]+)`/g)].map(([, name = '']) => name);
    const missing = names.filter(
      (name) => !passed.has(name) && (hasRealGptel || !name.startsWith('conversation-')),
    );
    expect({ line, missing }).toEqual({ line, missing: [] });
    if (names.length === 0) expect({ line, long: proof.length > 20 }).toEqual({ line, long: true });
  }
});

// Only with a real gptel: npm run test:gptel -- PATH.
if (hasRealGptel) {
  verifies(
    ['E1', 'C6', 'P5'],
    'a model in a real gptel writes only after a yes, and reads why it may not',
    async () => {
      const run = await runs.working();
      expectPassed(run, 'conversation-');
      const denials = run.asked.filter((body) => body.includes('Reason: put it into the archive'));
      // One for each setting, and once more in the request that follows it.
      expect(denials.length).toBeGreaterThanOrEqual(3);
    },
  );
}

/** A model that wants to write until it has written. */
const writesOnce: Step = ({ body }) => {
  const last = JSON.stringify(Array.isArray(body['messages']) ? body['messages'].at(-1) : null);
  if (last.includes('"role":"tool"') && last.includes('created')) return says('All done.');
  return calls({ name: 'mcp__notes__create_note', args: { text: 'from the model' } });
};

function expectPassed({ passed, failed, said }: EmacsRun, prefix: string): void {
  const wrong = failed.filter((name) => name.startsWith(prefix));
  const count = [...passed].filter((name) => name.startsWith(prefix)).length;
  const ended = /^Ran \d+ tests/m.test(said);
  const fine = ended && count > 0 && wrong.length === 0;
  expect({ wrong, said: fine ? '' : said }).toEqual({ wrong: [], said: '' });
}

function once<T extends EmacsRun>(run: () => Promise<T>): () => Promise<T & { asked: readonly string[] }> {
  let running: Promise<T & { asked: readonly string[] }> | undefined;
  return () => (running ??= run().then((value) => ({ asked: [], ...value })));
}
