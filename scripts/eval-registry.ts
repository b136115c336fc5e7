import { existsSync, readFileSync } from 'node:fs';
import { readDocument } from '../src/servers/registry/document.ts';
import type { RegistryEntry } from '../src/servers/registry/entry.ts';
import { planInstalls } from '../src/servers/plans/install.ts';
import { fillPlan } from '../src/servers/plans/fill.ts';
import type { FormField, InstallPlan } from '../src/servers/plans/plan.ts';
import { renderPlan } from '../src/servers/plans/render.ts';
import type { FieldValue } from '../src/servers/plans/values.ts';

/**
 * `node scripts/eval-registry.ts FILE [--json] [--all]`: how many documents of the official
 * registry become an install plan that can be filled in, and how often the kind of sign-in is
 * told right on the labelled ones. FILE is a JSON list of `{ server, _meta }`.
 */
const [file, ...flags] = process.argv.slice(2);
if (file === undefined || !existsSync(file)) {
  console.error('Usage: node scripts/eval-registry.ts FILE [--json] [--all]');
  process.exit(2);
}
const documents = JSON.parse(readFileSync(file, 'utf8')) as readonly unknown[]; // the file's format, see above
const judged = documents.map(judge);
const labels = JSON.parse(
  readFileSync(new URL('eval-registry-labels.json', import.meta.url), 'utf8'),
) as Readonly<Record<string, string>>; // our own file
const auth = Object.entries(labels).map(([name, wanted]) => {
  const found = judged.find((each) => each.name === name)?.plan?.auth.kind ?? 'no plan';
  return { name, wanted, found, right: found === wanted };
});

const installable = judged.filter(({ offers }) => offers);
const planned = installable.filter(({ plan }) => plan !== undefined);
const report = {
  documents: documents.length,
  withPackageOrRemote: installable.length,
  planned: planned.length,
  plansInAll: judged.reduce((sum, { plans }) => sum + plans, 0),
  preferred: countBy(planned.map(({ plan }) => kindOf(plan))),
  needsVersionLookup: planned.filter(({ plan }) => plan?.warnings.some(({ kind }) => kind === 'unpinned'))
    .length,
  warnings: countBy(planned.flatMap(({ plan }) => plan?.warnings.map(({ kind }) => kind) ?? [])),
  unplanned: installable.filter(({ plan }) => plan === undefined).map(({ name, why }) => ({ name, why })),
  waysRefused: judged.flatMap(({ refused }) => refused),
  nothingToInstall: judged.filter(({ offers }) => !offers).length,
  auth: {
    labelled: auth.length,
    right: auth.filter(({ right }) => right).length,
    wrong: auth.filter(({ right }) => !right),
  },
};
if (flags.includes('--json')) console.log(JSON.stringify(report, undefined, 2));
else print();

interface Judged {
  readonly name: string;
  readonly offers: boolean;
  readonly plan?: InstallPlan;
  readonly plans: number;
  readonly why?: string;
  readonly refused: readonly string[];
}

function judge(document: unknown): Judged {
  const read = readDocument(document, 'official');
  if (read.kind === 'bad') return { name: read.name, offers: true, plans: 0, why: read.reason, refused: [] };
  const { entry } = read;
  const offers = entry.packages.length + entry.remotes.length > 0;
  const { plans, refused } = planInstalls(entry);
  const shown = refused.map(({ what, why }) => `${entry.name}: ${what}: ${why}`);
  const [first] = plans;
  if (first === undefined)
    return { name: entry.name, offers, plans: 0, why: shown.join('; '), refused: shown };
  const problem = plans.map((plan) => problemOf(plan, entry)).find((each) => each !== undefined);
  const base = { name: entry.name, offers, plans: plans.length, refused: shown };
  return problem === undefined ? { ...base, plan: first } : { ...base, why: problem };
}

/** A plan is valid when it can be shown, and filled in with what a user would type. */
function problemOf(plan: InstallPlan, entry: RegistryEntry): string | undefined {
  try {
    renderPlan(plan);
    if (plan.target.kind === 'bundle') return undefined;
    const values = Object.fromEntries(plan.form.map((field) => [field.id, sampleOf(field)]));
    const { definition, secrets } = fillPlan(plan, values, { allowUnpinned: true });
    const text = JSON.stringify(definition.endpoint);
    if (secrets.some(() => text.includes('sample-secret')))
      return `${entry.name}: a secret stands in the definition`;
    return undefined;
  } catch (error) {
    return `${entry.name}: ${String(error)}`;
  }
}

function sampleOf({ kind, choices = [], label }: FormField): FieldValue {
  const samples: Readonly<Record<FormField['kind'], FieldValue>> = {
    choice: choices[0] ?? '',
    boolean: true,
    number: 8080,
    files: ['/tmp/a', '/tmp/b'],
    file: '/tmp/a',
    folder: '/tmp',
    folders: ['/tmp'],
    secret: 'sample-secret',
    text: /port/i.test(label) ? '8080' : 'sample',
  };
  return samples[kind];
}

function kindOf(plan: InstallPlan | undefined): string {
  if (plan === undefined) return 'none';
  return plan.target.kind === 'remote' && !plan.package
    ? 'remote'
    : (plan.package?.registry ?? plan.target.kind);
}

function countBy(names: readonly string[]): Readonly<Record<string, number>> {
  return Object.fromEntries([...Map.groupBy(names, (name) => name)].map(([name, all]) => [name, all.length]));
}

function print(): void {
  const { auth: told, ...rest } = report;
  const share = (part: number, whole: number): string =>
    `${part} of ${whole} (${((100 * part) / whole).toFixed(1)} %)`;
  console.log(
    `${rest.documents} documents, ${rest.nothingToInstall} of them without a package or an address.`,
  );
  console.log(`Plans: ${share(rest.planned, rest.withPackageOrRemote)}; ${rest.plansInAll} ways in all.`);
  console.log(`Preferred: ${JSON.stringify(rest.preferred)}`);
  console.log(`Warnings: ${JSON.stringify(rest.warnings)}`);
  for (const { name, why } of rest.unplanned) console.log(`  no plan: ${name}: ${why}`);
  console.log(`Ways refused: ${rest.waysRefused.length}`);
  if (flags.includes('--all')) for (const line of rest.waysRefused) console.log(`  ${line}`);
  if (told.labelled === 0) return;
  console.log(`Kind of sign-in: ${share(told.right, told.labelled)}.`);
  for (const { name, wanted, found } of told.wrong) console.log(`  ${name}: ${found}, should be ${wanted}`);
}
