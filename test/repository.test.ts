import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { expect, test } from 'vitest';
import config from '../oxlint.config.ts';
import { buildProgram } from '../src/cli/program.ts';
import { filesUnder } from './files.ts';
import { blocksOf, readPage, root, stepsOf, userPages } from './pages.ts';

const read = (file: string): string => readFileSync(join(root, file), 'utf8');

interface Package {
  readonly license: string;
  readonly scripts: Readonly<Record<string, string>>;
  readonly engines: { readonly node: string };
  readonly dependencies: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
}
const manifest = JSON.parse(read('package.json')) as Package; // the package is ours

/** The import line, as the linter holds it. */
const ORDER = (config.overrides ?? [])
  .flatMap(({ files }) => files)
  .map((glob) => /^src\/([a-z]+)\/\*\*\/\*\.ts$/.exec(glob)?.[1])
  .filter((folder) => folder !== undefined);

test('every folder of src has its place in the import line, and nothing stands outside', () => {
  const entries = readdirSync(join(root, 'src'), { withFileTypes: true });
  const folders = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  const files = entries.filter((entry) => entry.isFile()).map(({ name }) => name);
  expect(files.toSorted()).toEqual(['bin.ts', 'index.ts']);
  expect(ORDER.length).toBeGreaterThan(10);
  expect(folders.filter((folder) => !ORDER.includes(folder))).toEqual([]);
  expect(ORDER.filter((folder) => !folders.includes(folder))).toEqual([]);
});

test('ARCHITECTURE.md has the import line that the linter holds, and a paragraph for each folder', () => {
  const page = readPage('ARCHITECTURE.md');
  expect(page).toContain(ORDER.join(' · '));
  expect(ORDER.filter((folder) => !page.includes(`**\`${folder}/\`**`))).toEqual([]);
  expect(page.split('\n').length).toBeLessThanOrEqual(300);
});

test('nothing names a path of one machine', () => {
  // Pieced together, so that this file does not find itself. /home/ada and the like are examples.
  const places = ['work', 'root', 'mnt', 'workspace'].join('|');
  const path = new RegExp(`(^|[^\\w.~/-])/(${places})(/|\\b(?![\\w-]))`, 'm');
  expect(path.test(['see ', 'work', 'x.md'].join('/'))).toBe(true);
  expect(filesUnder('').filter((file) => path.test(read(file)))).toEqual([]);
});

test('nothing names the host of a package registry, and the lock file works with any', () => {
  const hosts = ['registry.npmjs', 'registry.yarnpkg', 'npm.pkg.github', 'pypi.python', 'files.pythonhosted'];
  const host = new RegExp(hosts.map((name) => `${name.replaceAll('.', '\\.')}\\.(org|com)`).join('|'));
  expect(host.test(['https://registry.npmjs', 'org/x'].join('.'))).toBe(true);
  expect(filesUnder('').filter((file) => host.test(read(file)))).toEqual([]);
  expect(read('package-lock.json')).not.toContain('"resolved"');
});

test('no text holds the markers of a merge, nor what a formatter makes of them', () => {
  const marker = /^ *\\?(?:(?:< ?){7}(?= |$)|(?:> ?){7}(?= |$)|(?:\| ?){7}(?= |$)|={7}$)/m;
  const sides = ['<', '>', '|'].map((sign) => sign.repeat(7));
  const planted = [...sides.map((side) => `${side} main`), '='.repeat(7), `  \\${'='.repeat(7)}`];
  const mangled = ['> '.repeat(7), '< '.repeat(7)].map((side) => `${side}main`);
  for (const line of [...planted, ...mangled]) expect(marker.test(`text\n${line}\n`), line).toBe(true);
  for (const line of ['='.repeat(8), '> > quoted', '| a | b |', 'x ======='])
    expect(marker.test(`text\n${line}\n`), line).toBe(false);
  expect(filesUnder('').filter((file) => marker.test(read(file)))).toEqual([]);
});

test('the type check of npm test leaves no file out', () => {
  const programs = ['.', 'web'].flatMap((project) => {
    const args = ['--listFilesOnly', '-p', join(root, project)];
    return spawnSync(join(root, 'node_modules/.bin/tsc'), args, { encoding: 'utf8' }).stdout.split('\n');
  });
  const checked = new Set(programs.map((file) => relative(root, file)));
  const written = filesUnder('').filter((file) => /\.[cm]?tsx?$/.test(file));
  expect(written.length).toBeGreaterThan(1_000);
  expect(written.filter((file) => !checked.has(file))).toEqual([]);
  // And npm test runs both of them.
  for (const step of ["'--noEmit']", "'--noEmit', '-p', 'web']"])
    expect(read('scripts/test.ts')).toContain(step);
});

test('every dependency has one exact version', () => {
  const all = Object.entries({ ...manifest.dependencies, ...manifest.devDependencies });
  expect(all.length).toBeGreaterThan(10);
  expect(all.filter(([, version]) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version))).toEqual([]);
});

test('package.json asks for the Node that plug itself asks for', () => {
  const [, major, minor] = /NODE_MIN = \[(\d+), (\d+)\]/.exec(read('src/bin.ts')) ?? [];
  expect(manifest.engines.node).toBe(`>=${major}.${minor}`);
});

test('the licence is there, and is the one that package.json names', () => {
  expect(manifest.license).toBe('MIT');
  expect(read('LICENSE')).toMatch(/^MIT License\n/);
});

const PAGES = filesUnder('').filter((file) => file.endsWith('.md'));

test('every npm script that a page names exists', () => {
  const named = PAGES.flatMap((page) =>
    [...readPage(page).matchAll(/\bnpm (?:run ([\w:-]+)|(start|test)\b)/g)].map(([, run, short]) => ({
      page,
      script: run ?? short ?? '',
    })),
  );
  expect(named.length).toBeGreaterThan(3);
  expect(named.filter(({ script }) => !(script in manifest.scripts))).toEqual([]);
  expect(readPage('README.md')).toContain('\nnpm ci && npm start\n');
  expect(readPage('README.md')).toContain('\nnpm ci && npm test\n');
});

test('every plug command that a page names exists', async () => {
  const none = (): Promise<void> => Promise.resolve();
  const program = await buildProgram({
    version: '0',
    argv: [],
    write: () => undefined,
    width: 80,
    act: none,
    actOnHub: none,
  });
  const known = new Set(
    program.commands.flatMap((command) => [
      command.name(),
      ...command.aliases(),
      ...command.commands.map((inner) => `${command.name()} ${inner.name()}`),
    ]),
  );
  known.add('help');
  const named = PAGES.flatMap((page) =>
    [...readPage(page).matchAll(/(?:`|^\$ |\| )plug ([a-z][a-z-]*)(?: ([a-z]+))?/gm)].map(
      ([, first = '', second = '']) =>
        ['hub', 'profile'].includes(first) ? `${first} ${second}`.trim() : first,
    ),
  );
  expect(named.length).toBeGreaterThan(30);
  expect([...new Set(named)].filter((command) => !known.has(command))).toEqual([]);
});

test('every page that another page links to exists', () => {
  const links = PAGES.flatMap((page) =>
    [...readPage(page).matchAll(/\]\((?!https?:|#)([^)#]+)/g)].map(([, link = '']) =>
      join(root, page, '..', link),
    ),
  );
  expect(links.length).toBeGreaterThan(5);
  expect(links.filter((link) => !existsSync(link))).toEqual([]);
});

test('the pages for users show commands that are run, not only described', () => {
  const steps = userPages.flatMap((page) =>
    blocksOf(page)
      .filter(({ language }) => language === 'console')
      .flatMap(stepsOf),
  );
  expect(steps.length).toBeGreaterThan(20);
});

test('no failure is swallowed without a word', () => {
  const silent = /\.catch\(\s*(\(\)|_\w*|\(_?\w*\))\s*=>\s*(\{\s*\}|undefined|null)\s*\)/;
  expect(silent.test('work().catch(() => {})')).toBe(true);
  const code = filesUnder('src').filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'));
  // A failed look-up whose absence is the answer is awaited: `await stat(…).catch(() => undefined)`.
  const bad = code.filter((file) =>
    read(file)
      .split('\n')
      .some((line) => silent.test(line) && !/await/.test(line)),
  );
  expect(bad).toEqual([]);
});

const sources = (): readonly string[] =>
  filesUnder('src').filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'));

test('every bound of time and every large one has a name', () => {
  const bare = [
    /\.(after|every|sleep)\((.*, )?[1-9][\d_]*[,)]/,
    /\b[tT]imeout(Ms)?: [1-9]/,
    /\.(length|size) [<>]=? \d[\d_]{3,}/,
    /\.slice\(0, \d[\d_]{3,}\)/,
  ];
  for (const planted of ['clock.after(50, stop)', 'timeout: 5_000', 'a.length > 1_000', 'a.slice(0, 20_000)'])
    expect(bare.some((bound) => bound.test(planted))).toBe(true);
  const found = sources()
    // A limits file is where names are given; a pasted text has one bound as a whole, and its readers look at beginnings.
    .filter((file) => !/limits\.ts$|^src\/servers\/paste\//.test(file))
    .flatMap((file) =>
      read(file)
        .split('\n')
        .filter((line) => !/^\s*(\*|\/)/.test(line) && bare.some((bound) => bound.test(line)))
        .map((line) => `${file}: ${line.trim()}`),
    );
  expect(found).toEqual([]);
});

test('what several parts need stands once, where all of them can import it', () => {
  const once: Readonly<Record<string, RegExp>> = {
    'src/base/edit-distance.ts': /a\[i - 1\] === b\[j - 2\]/,
    'src/base/remote-only.ts': /env\['PLUG_REMOTE_ONLY'\]/,
    'src/base/shell-words.ts': /replaceAll\("'",.*\\''/,
    'src/base/size-in-words.ts': /'KB', 'MB'/,
    'src/base/thread.ts': /\bnew Worker\(/,
    'src/base/unseen-characters.ts': /u0000-\\u0008\\u000b-\\u001f/,
    'src/servers/definition.ts': /\[\^a-z0-9\._-\]\+\/g/,
  };
  const files = [...sources(), ...filesUnder('web/src').filter((file) => /\.tsx?$/.test(file))];
  for (const [home, sign] of Object.entries(once)) {
    expect(files.filter((file) => sign.test(read(file)))).toEqual([home]);
  }
});

test('no file is a place for anything, or a second version of another', () => {
  const vague = /(^|\/)(utils?|helpers?|common|misc|shared|[\w-]*manager|[\w-]+-(v\d|new|old))\.tsx?$/;
  expect(
    ['src/base/utils.ts', 'src/a/open-v2.ts', 'web/src/b/helper.tsx'].every((file) => vague.test(file)),
  ).toBe(true);
  expect(
    [...filesUnder('src'), ...filesUnder('web'), ...filesUnder('test')].filter((file) => vague.test(file)),
  ).toEqual([]);
});

test('npm run bench tells its words, and measures nothing for a word that it does not know', () => {
  const bench = (...words: readonly string[]): { status: number | null; stdout: string; stderr: string } =>
    spawnSync(process.execPath, [join(root, 'bench/run.ts'), ...words], { encoding: 'utf8' });
  const help = bench('--help');
  expect(help).toMatchObject({ status: 0, stderr: '' });
  for (const word of ['calls', 'gateway', '--json', '--no-build']) expect(help.stdout).toContain(word);
  expect(bench('cals')).toMatchObject({ status: 2, stdout: '', stderr: expect.stringContaining('calls') });
  expect(bench('--jason')).toMatchObject({
    status: 2,
    stdout: '',
    stderr: expect.stringContaining('--json'),
  });
});

test('what the library exports changes only on purpose', async () => {
  expect(Object.keys(await import('../src/index.ts')).toSorted()).toEqual([
    'PlugError',
    'defineServer',
    'mergeWithHostTools',
    'openPlugboard',
    'toolSet',
    'typedClient',
  ]);
  // The interface of the hub is told in several files, which hub.ts exports whole.
  const told = [...read('src/hub/hub.ts').matchAll(/^export type \* from '\.\/([\w/-]+\.ts)'/gm)];
  const files = ['src/index.ts', 'src/hub/hub.ts', ...told.map(([, file = '']) => `src/hub/${file}`)];
  const types = files.map(read).flatMap((code) => [
    ...[...code.matchAll(/^export (?:interface|type) (\w+)/gm)].map(([, name = '']) => name),
    ...[...code.matchAll(/^export (?:type )?\{([^}]*)\}/gm)].flatMap(([whole, names = '']) =>
      names
        .split(',')
        .map((name) => name.trim())
        .filter((name) => whole.startsWith('export type') || name.startsWith('type '))
        .map((name) => name.replace(/^type /, ''))
        .filter((name) => name !== ''),
    ),
  ]);
  expect(types.toSorted((a, b) => a.localeCompare(b, 'en'))).toMatchInlineSnapshot(`
    [
      "AccountView",
      "AddedHost",
      "AddOutcome",
      "Answerer",
      "ApplyOutcome",
      "Approval",
      "ApprovalAnswer",
      "ApprovalEnd",
      "ApprovalOutcome",
      "AttachedHost",
      "AuditPage",
      "AuditQuery",
      "AuditRecord",
      "AuditSpan",
      "AuditSummary",
      "AuditSummaryRow",
      "AuditVerification",
      "Backup",
      "BatchAnswer",
      "CallDisplay",
      "CallOptions",
      "CallRequest",
      "CallResult",
      "ChangeKind",
      "ChangeView",
      "ChatApp",
      "ChatCallOutcome",
      "ChatEvent",
      "ChatMedia",
      "ChatMessage",
      "ChatOptions",
      "ChatOutcome",
      "ChatRequest",
      "ChatUsage",
      "ClientEdit",
      "ClientList",
      "ClientView",
      "ConfigFileView",
      "ConfiguringEvent",
      "ConfiguringOptions",
      "ConfiguringOutcome",
      "ConfiguringRequest",
      "ConnectRequest",
      "Decision",
      "DeclinedServer",
      "Deed",
      "DefaultsChange",
      "DisconnectRequest",
      "DoctorCheck",
      "DoctorOptions",
      "DoctorReport",
      "DoctorRequest",
      "DoctorRow",
      "Effect",
      "Endpoint",
      "ErrorCode",
      "ErrorView",
      "FactNote",
      "FeaturedCatalog",
      "FirstCall",
      "FixOutcome",
      "ForwardedRequest",
      "FoundModels",
      "GivenDefinition",
      "Grant",
      "GrantView",
      "HostHandler",
      "HostHandlers",
      "HostOptions",
      "HostRequest",
      "HostView",
      "Hub",
      "HubEvent",
      "HubStatus",
      "ImportCheck",
      "ImportFind",
      "ImportOutcome",
      "ImportPreview",
      "ImportProblem",
      "ImportRequest",
      "ImportVerdict",
      "InstallOptions",
      "InstallOutcome",
      "InstallProgress",
      "InstallRequest",
      "Json",
      "JsonObject",
      "LearnedOutput",
      "LearnedQuery",
      "LogEntry",
      "MergedTools",
      "ModelProvider",
      "ModelView",
      "NameForm",
      "NewGrant",
      "NewHost",
      "NewModel",
      "NewRegistry",
      "Offered",
      "OfferedPlan",
      "OfferedRequest",
      "OpenModel",
      "OpenOptions",
      "Owner",
      "PackageOutcome",
      "PlannedClient",
      "PlanOffer",
      "PlanRequest",
      "PolicyDefaults",
      "ProcessView",
      "Profile",
      "Progress",
      "Proposal",
      "RecentResult",
      "Recognized",
      "RegistryQuery",
      "RegistryView",
      "Remedy",
      "RenderedTools",
      "RenderQuery",
      "RestoredThing",
      "RestoreOutcome",
      "RestoreRequest",
      "ResultMatches",
      "ResultPage",
      "ResultPathFound",
      "Retention",
      "RotateOutcome",
      "RotateRequest",
      "RulesView",
      "SaidWithKey",
      "ServerCredentials",
      "ServerDefinition",
      "ServerEvent",
      "ServerIcon",
      "ServerList",
      "ServerLog",
      "ServerState",
      "ServerSuggestion",
      "ServerTraffic",
      "ServerView",
      "Settings",
      "SettingsChange",
      "SetupOptions",
      "SetupOutcome",
      "SetupPlan",
      "SetupRequest",
      "SignInOptions",
      "SignInProgress",
      "SignInRequest",
      "StoredResult",
      "Subscription",
      "SyncAnswers",
      "TextDifference",
      "ToolAudit",
      "ToolChange",
      "ToolFormat",
      "ToolList",
      "ToolQuery",
      "ToolReview",
      "ToolSearchAnswer",
      "ToolSearchQuery",
      "ToolSet",
      "ToolSetOptions",
      "ToolView",
      "TrafficMessage",
      "Trust",
      "TryOutcome",
      "TypedCallOptions",
      "UndoneFile",
      "UndoneServer",
      "UndoOutcome",
      "UndoRequest",
      "UntrustedView",
      "UpdateOutcome",
      "UpdatePlan",
      "UpdateView",
      "UsedClient",
      "VersionView",
      "WatchOptions",
    ]
  `);
});
