import { readFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { parsePaste } from '../src/servers/paste/parse-paste.ts';
import type { PastedServer } from '../src/servers/paste/paste.ts';

/**
 * `npm run eval:paste -- FILE [--failures] [--json]`: reads every labelled paste of FILE (one JSON
 * object a line) and says how many are understood in full, by kind.
 */
interface Expected extends Partial<PastedServer> {
  readonly needs: readonly string[];
  readonly needs_optional?: readonly string[];
  readonly accept?: Readonly<Record<string, readonly unknown[]>>;
}

interface Labelled {
  readonly id: string;
  readonly kind: string;
  readonly input: string;
  readonly expect: { readonly servers: readonly Expected[]; readonly accept_extra?: boolean };
}

interface Outcome {
  readonly id: string;
  readonly kind: string;
  readonly wrong: readonly string[];
}

const FIELDS = ['transport', 'command', 'args', 'env', 'cwd', 'url', 'headers'] as const;

const words = process.argv.slice(2);
const file = words.find((word) => !word.startsWith('--'));
if (file === undefined) {
  console.error('Which file? npm run eval:paste -- FILE [--failures] [--json]');
  process.exit(2);
}

const labelled = readFileSync(file, 'utf8')
  .split('\n')
  .filter((line) => line.trim() !== '')
  .map((line) => JSON.parse(line) as Labelled); // the file's format is this script's input contract
const outcomes = labelled.map(judge);
const kinds = [...new Set(outcomes.map(({ kind }) => kind))].toSorted();
const rows = kinds.map((kind) => {
  const all = outcomes.filter((outcome) => outcome.kind === kind);
  return { kind, right: all.filter(({ wrong }) => wrong.length === 0).length, all: all.length };
});
const right = outcomes.filter(({ wrong }) => wrong.length === 0).length;
const failures = outcomes.filter(({ wrong }) => wrong.length > 0);

if (words.includes('--json'))
  console.log(JSON.stringify({ right, all: outcomes.length, kinds: rows, failures }, undefined, 2));
else {
  for (const row of rows)
    console.log(`${percent(row.right, row.all)}  ${`${row.right}/${row.all}`.padStart(8)}  ${row.kind}`);
  console.log(`${percent(right, outcomes.length)}  ${`${right}/${outcomes.length}`.padStart(8)}  all`);
  if (words.includes('--failures'))
    for (const { id, wrong } of failures) console.log(`\n${id}\n  ${wrong.join('\n  ')}`);
}

function percent(part: number, whole: number): string {
  return `${((100 * part) / whole).toFixed(1)} %`.padStart(8);
}

/** Each expected server takes the answer that fits it best; what is left over is one too many. */
function judge({ id, kind, input, expect }: Labelled): Outcome {
  const left = [...parsePaste(input).servers];
  const wrong: string[] = [];
  for (const expected of expect.servers) {
    const scores = left.map((answer) => differences(expected, answer));
    const best = scores.reduce(
      (least, score, index) =>
        score.length < (scores[least]?.length ?? Number.POSITIVE_INFINITY) ? index : least,
      0,
    );
    const found = scores[best];
    if (found === undefined) {
      wrong.push(`missing: ${JSON.stringify(expected.name ?? expected.url ?? expected.command)}`);
      continue;
    }
    left.splice(best, 1);
    wrong.push(...found);
  }
  if (left.length > 0 && expect.accept_extra !== true)
    wrong.push(
      ...left.map((server) => `too many: ${JSON.stringify(server.name ?? server.url ?? server.command)}`),
    );
  return { id, kind, wrong };
}

function differences(expected: Expected, answer: PastedServer): readonly string[] {
  const wrong: string[] = [];
  const check = (field: string, wanted: unknown, got: unknown): void => {
    const accepted = [wanted, ...(expected.accept?.[field] ?? [])].map(normal);
    if (!accepted.some((one) => isDeepStrictEqual(one, normal(got))))
      wrong.push(`${field}: expected ${JSON.stringify(wanted)}, got ${JSON.stringify(got)}`);
  };
  if (expected.name !== null && expected.name !== undefined) check('name', expected.name, answer.name);
  // A wrapper such as mcp-remote may be given as it is or unwrapped; both are right.
  const bare =
    expected.alt && answer.url !== undefined && answer.command === undefined ? expected.alt : expected;
  for (const field of FIELDS) check(field, (bare as Partial<PastedServer>)[field], answer[field]);
  if (expected.ref) {
    check('ref.kind', expected.ref.kind, answer.ref?.kind);
    check('ref.id', expected.ref.id, answer.ref?.id);
  }
  if (expected.disabled !== undefined && (answer.disabled ?? false) !== expected.disabled)
    wrong.push(`disabled: expected ${expected.disabled}`);
  const allowed = new Set([...expected.needs, ...(expected.needs_optional ?? [])]);
  const missing = expected.needs.filter((need) => !answer.needs.includes(need));
  const extra = answer.needs.filter((need) => !allowed.has(need));
  if (missing.length > 0 || extra.length > 0)
    wrong.push(`needs: missing ${JSON.stringify(missing)}, too many ${JSON.stringify(extra)}`);
  return wrong;
}

/** Nothing, an empty text, an empty list and an empty object are the same. */
function normal(value: unknown): unknown {
  if (value === null || value === undefined || value === '') return undefined;
  if (typeof value === 'object' && Object.keys(value).length === 0) return undefined;
  return value;
}
