import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
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
      ([, first = '', second = '']) => (['hub', 'profile'].includes(first) ? `${first} ${second}` : first),
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
  const told = [...read('src/hub/hub.ts').matchAll(/^export type \* from '\.\/([\w-]+\.ts)'/gm)];
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
      "AccountsApi",
      "AccountView",
      "AddOptions",
      "AddOutcome",
      "Answerer",
      "ApplyOutcome",
      "Approval",
      "ApprovalAnswer",
      "ApprovalOutcome",
      "ApprovalsApi",
      "AttachedHost",
      "AuditApi",
      "AuditPage",
      "AuditQuery",
      "AuditRecord",
      "AuditSpan",
      "AuditSummary",
      "AuditSummaryRow",
      "Backup",
      "BackupsApi",
      "BatchAnswer",
      "CallDisplay",
      "CallOptions",
      "CallRequest",
      "CallResult",
      "ChatApi",
      "ChatApp",
      "ChatCallOutcome",
      "ChatEvent",
      "ChatMedia",
      "ChatMessage",
      "ChatOptions",
      "ChatOutcome",
      "ChatRequest",
      "ChatUsage",
      "ConfigFileView",
      "ConfiguringApi",
      "ConfiguringEvent",
      "ConfiguringOptions",
      "ConfiguringOutcome",
      "ConfiguringRequest",
      "Decision",
      "DeclinedServer",
      "DefaultsChange",
      "DoctorApi",
      "DoctorCheck",
      "DoctorOptions",
      "DoctorReport",
      "DoctorRequest",
      "DoctorRow",
      "Effect",
      "Endpoint",
      "ErrorCode",
      "ErrorView",
      "FixOutcome",
      "ForwardedRequest",
      "Grant",
      "GrantsApi",
      "GrantView",
      "HostHandler",
      "HostHandlers",
      "HostOptions",
      "HostRequest",
      "HostsApi",
      "Hub",
      "HubEvent",
      "HubStatus",
      "ImportFind",
      "ImportOutcome",
      "ImportPreview",
      "ImportProblem",
      "ImportQuery",
      "ImportRequest",
      "ImportsApi",
      "InstallOptions",
      "InstallOutcome",
      "InstallProgress",
      "InstallRequest",
      "Json",
      "JsonObject",
      "LearnedOutput",
      "LogEntry",
      "MergedTools",
      "ModelProvider",
      "ModelsApi",
      "ModelView",
      "NameForm",
      "NewGrant",
      "NewModel",
      "NewRegistry",
      "Offered",
      "OfferedPlan",
      "OfferedRequest",
      "OpenModel",
      "OpenOptions",
      "Owner",
      "PlanOffer",
      "PlanRequest",
      "PlansApi",
      "PolicyApi",
      "PolicyDefaults",
      "ProcessView",
      "Profile",
      "ProfilesApi",
      "Progress",
      "PromptsApi",
      "Proposal",
      "Recognised",
      "RegistriesApi",
      "RegistryQuery",
      "RegistryView",
      "RenderedTools",
      "RenderQuery",
      "ResourcesApi",
      "RestoredThing",
      "RestoreOutcome",
      "RestoreRequest",
      "ResultMatches",
      "ResultPage",
      "ResultPathFound",
      "ResultsApi",
      "Retention",
      "RotateOutcome",
      "RotateRequest",
      "RulesView",
      "SecretsApi",
      "ServerCredentials",
      "ServerDefinition",
      "ServerEvent",
      "ServerIcon",
      "ServerList",
      "ServerLog",
      "ServersApi",
      "ServerState",
      "ServerSuggestion",
      "ServerView",
      "Settings",
      "SettingsApi",
      "SettingsChange",
      "SignInOptions",
      "SignInProgress",
      "SignInRequest",
      "StoredResult",
      "Subscription",
      "SyncAnswers",
      "ToolAudit",
      "ToolFormat",
      "ToolList",
      "ToolQuery",
      "ToolsApi",
      "ToolSetOptions",
      "ToolSettingsApi",
      "ToolView",
      "Trust",
      "TryOutcome",
      "TypedCallOptions",
      "WaitOptions",
      "WaitUntilReadyOptions",
      "WatchOptions",
    ]
  `);
});
