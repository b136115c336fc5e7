import { spawnSync } from 'node:child_process';
import { cpus, totalmem } from 'node:os';
import { fileURLToPath } from 'node:url';
import { didYouMean, suggest } from '../src/base/suggest.ts';
import { ratioOf, verdictOf, type Figure } from './figure.ts';
import { renderTable } from './table.ts';

/**
 * `npm run bench [-- NAME…] [--json] [--no-build] [--million]`: every figure beside its floor, from the same run.
 * Figures are shown, never asserted: machines differ. Only a benchmark that breaks is a failure.
 */
const BENCHMARKS = [
  'commands',
  'plug-call',
  'lists',
  'calls',
  'long-lines',
  'hub-memory',
  'start',
  'supervisor',
  'paste',
  'registry',
  'vault',
  'credentials',
  'policy',
  'catalog',
  'search',
  'origins',
  'results',
  'gateway',
  'team',
  'page',
] as const;
/** Of the longest: a million calls through the gateway. */
const ONE_BENCHMARK_MS_MAX = 900_000;

const root = fileURLToPath(new URL('..', import.meta.url));
const words = process.argv.slice(2);
const OPTIONS = {
  '--json': 'the figures as JSON',
  '--no-build': 'measure the product as it was built last',
  '--million': 'a million calls through the gateway, where it is measured',
  '--help': 'this text',
} as const;
if (words.includes('--help') || words.includes('-h')) {
  console.log(help());
  process.exit(0);
}
checkWords();
const wanted = words.filter((word) => !word.startsWith('--'));
const passedOn = words.filter((word) => word === '--million');
const chosen = BENCHMARKS.filter((name) => wanted.length === 0 || wanted.includes(name));

if (!words.includes('--no-build')) build();
const results = chosen.map((name) => ({ name, ...runOne(name) }));
const figures = results.flatMap((result) => result.figures);
const broken = results.filter((result) => result.problem !== undefined);
if (words.includes('--json')) {
  const rows = figures.map((figure) => ({ ...figure, ratio: ratioOf(figure), verdict: verdictOf(figure) }));
  const problems = Object.fromEntries(broken.map(({ name, problem }) => [name, problem]));
  console.log(JSON.stringify({ machine: machine(), figures: rows, problems }, undefined, 2));
} else {
  console.log(`${machine()}\n`);
  process.stdout.write(renderTable(figures));
  for (const { name, problem } of broken) console.error(`\n${name} broke: ${problem}`);
}
process.exitCode = broken.length > 0 ? 1 : 0;

function help(): string {
  const options = Object.entries(OPTIONS).map(([option, says]) => `  ${option.padEnd(12)}${says}`);
  return [
    'npm run bench [-- NAME…] [OPTION…]',
    '',
    'Shows figures beside their floors: of all benchmarks, or of those named.',
    '',
    `Benchmarks: ${BENCHMARKS.join(', ')}`,
    '',
    ...options,
  ].join('\n');
}

/** A misspelt name would measure everything, or nothing. */
function checkWords(): void {
  const known: readonly string[] = [...BENCHMARKS, ...Object.keys(OPTIONS)];
  const unknown = words.filter((word) => !known.includes(word));
  if (unknown.length === 0) return;
  for (const word of unknown) {
    const what = word.startsWith('-') ? 'option' : 'benchmark';
    console.error(`There is no ${what} “${word}”. ${didYouMean(suggest(word, known))}`.trim());
  }
  console.error('All of them: npm run bench -- --help');
  process.exit(2);
}

/** What is measured is what would be installed now, not what was built last week. */
function build(): void {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['scripts/build.ts'], {
    cwd: root,
    encoding: 'utf8',
  });
  if (status === 0) return;
  process.stderr.write(stdout + stderr);
  process.exit(1);
}

/** Each benchmark is a process of its own: it neither warms nor burdens the next. */
function runOne(name: string): { readonly figures: readonly Figure[]; readonly problem?: string } {
  process.stderr.write(`… ${name}\n`);
  const { status, signal, stdout, stderr } = spawnSync(
    process.execPath,
    [`${root}bench/${name}.ts`, ...passedOn],
    {
      encoding: 'utf8',
      timeout: ONE_BENCHMARK_MS_MAX,
    },
  );
  if (status !== 0) return { figures: [], problem: `${signal ?? `exit code ${status}`}\n${stderr}` };
  process.stderr.write(stderr);
  return { figures: JSON.parse(stdout) as readonly Figure[] }; // what report() wrote
}

function machine(): string {
  const all = cpus();
  const gigabytes = Math.round(totalmem() / 1024 ** 3);
  const model = all[0]?.model.trim() ?? 'unknown processor';
  return `${model}, ${all.length} cores, ${gigabytes} GB, ${process.platform}, Node ${process.versions.node}`;
}
