import { readFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { featuredLookup } from '../src/servers/featured.ts';
import { parsePaste } from '../src/servers/paste/parse-paste.ts';
import type { PastedServer } from '../src/servers/paste/paste.ts';

/** A server as it should be read. `null` for a name: any is right; `accept` lists further right values. */
interface Expected extends Partial<PastedServer> {
  readonly needs: readonly string[];
  readonly needs_optional?: readonly string[];
  readonly accept?: Readonly<Record<string, readonly unknown[]>>;
}

/** One line of a file of labelled pastes. */
export interface LabelledPaste {
  readonly id: string;
  readonly kind: string;
  readonly input: string;
  readonly expect: {
    readonly servers: readonly Expected[];
    readonly accept_extra?: boolean;
    /** Which of the servers are ways to the same one; unchecked where it is not said. */
    readonly alternatives?: readonly (readonly number[])[];
  };
}

export interface JudgedPaste {
  readonly id: string;
  readonly kind: string;
  /** Empty when the paste was understood in full. */
  readonly wrong: readonly string[];
}

export function readLabelledPastes(file: string | URL): readonly LabelledPaste[] {
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => JSON.parse(line) as LabelledPaste); // the format of these files
}

/** Each expected server takes the answer that fits it best; what is left over is one too many. */
export function judgePaste({ id, kind, input, expect }: LabelledPaste): JudgedPaste {
  const { servers, alternatives = [] } = parsePaste(input, { featured: featuredLookup });
  const left = new Set(servers.keys());
  const taken: number[] = [];
  const wrong: string[] = [];
  for (const expected of expect.servers) {
    const scores = [...left].map((index) => {
      const answer = servers[index];
      return { index, found: answer === undefined ? [] : differences(expected, answer) };
    });
    const best = scores.toSorted((a, b) => a.found.length - b.found.length)[0];
    taken.push(best?.index ?? -1);
    if (best === undefined) {
      wrong.push(`missing: ${JSON.stringify(expected.name ?? expected.url ?? expected.command)}`);
      continue;
    }
    left.delete(best.index);
    wrong.push(...best.found);
  }
  if (expect.accept_extra !== true)
    for (const index of left) {
      const server = servers[index];
      wrong.push(`too many: ${JSON.stringify(server?.name ?? server?.url ?? server?.command)}`);
    }
  const grouped = expect.alternatives?.map((group) => group.map((index) => taken[index]));
  if (grouped !== undefined && !isDeepStrictEqual(grouped, alternatives))
    wrong.push(`alternatives: expected ${JSON.stringify(grouped)}, got ${JSON.stringify(alternatives)}`);
  return { id, kind, wrong };
}

const FIELDS = ['transport', 'command', 'args', 'env', 'cwd', 'url', 'headers'] as const;

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
