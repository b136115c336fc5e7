import { type Draft, NOTHING, type Range, type Reader, type Reading, type View } from '../view.ts';
import { ConfigReading, isTooDeep } from './config-reading.ts';
import { parseDocument } from 'yaml';
import { isObject } from '../../../base/json.ts';
import { limits } from '../../../base/limits.ts';
import { findServers } from '../containers.ts';
import { describeLookAlike } from '../look-alikes.ts';

export const yamlReader: Reader = { name: 'yaml', read: readYaml };

function readYaml(view: View): Reading {
  if (view.text.length > limits.pasteForeignCharsMax) return NOTHING;
  const reading = new ConfigReading(view, 'yaml');
  for (const island of islands(view)) {
    view.budget.step();
    const { value, text, changed } = parse(view.text.slice(island.from, island.to));
    if (!isObject(value) && !Array.isArray(value)) continue;
    const other = describeLookAlike(value);
    if (other !== undefined) reading.notMcp ??= other;
    const holding = findServers(other === undefined ? value : undefined);
    let at = island.from;
    const offsetOf = ({ draft }: { readonly draft: Draft }): number => {
      const next = draft.name === null ? -1 : view.text.indexOf(draft.name, at);
      if (next >= 0 && next < island.to) at = next;
      return at;
    };
    if (reading.add(holding, { value, range: island, offsetOf })) {
      const line = view.lineAt(island.from);
      reading.repaired(changed === undefined ? [] : [{ line, what: changed }], [{ ...island, by: text }]);
      continue;
    }
    if (isDocument(value)) reading.claims.push(island);
    reading.onlyBuiltIns(holding);
  }
  return reading;
}

/** Prose with a colon in it is not a document. */
function isDocument(value: object): boolean {
  const entries = Object.entries(value);
  return entries.length >= 2 && entries.some(([, inner]) => isObject(inner) || Array.isArray(inner));
}

const KEY = /^[ \t]*(?:- +)*(?:"[^"\n]{1,80}"|'[^'\n]{1,80}'|[\w.@/$-][\w.@/$ -]{0,80}):(?=[ \t]|$)/;
const GATE =
  /^[ \t]*(?:- +)*["']?(?:command|cmd|url|uri|serverUrl|server_url|mcp[\w.]*|servers|extensions|context_servers|services|jobs|openapi|apiVersion|transport)["']?[ \t]*:/im;
const ENDLESS = /^[ \t]*(?:- +|\? +){20,}/m;

/** Runs of lines that continue like YAML and hold a field of a server. */
function islands(view: View): readonly Range[] {
  const found: Range[] = [];
  for (const block of view.blocks) {
    const text = view.text.slice(block.from, block.to);
    if (!GATE.test(text) || ENDLESS.test(text) || isTooDeep(text)) continue;
    let open: { from: number; to: number; depth: number } | undefined;
    let at = block.from;
    for (const line of text.split('\n')) {
      const end = at + line.length;
      const fits = KEY.test(line) || /^\s*(?:#.*)?$|^[ \t]*(?:- |[}\]])/.test(line);
      const goesOn = open !== undefined && (open.depth > 0 || /^[ \t]{2,}\S/.test(line));
      if (!fits && !goesOn) open = undefined;
      if (!open && KEY.test(line)) {
        open = { from: at, to: end, depth: 0 };
        found.push(open);
      }
      if (open) {
        open.depth = Math.max(0, open.depth + count(line, /[{[]/g) - count(line, /[}\]]/g));
        if (line.trim() !== '') open.to = end;
      }
      at = end + 1;
    }
  }
  return found.filter(({ from, to }) => GATE.test(view.text.slice(from, to)));
}

function count(line: string, pattern: RegExp): number {
  return line.match(pattern)?.length ?? 0;
}

function parse(pasted: string): {
  readonly value: unknown;
  readonly text: string;
  readonly changed?: string;
} {
  const text = dedent(pasted);
  const value = attempt(text);
  if (value !== undefined) return { value, text };
  for (const { what, repair } of REPAIRS) {
    const repaired = repair(text);
    const again = repaired === text ? undefined : attempt(repaired);
    if (again !== undefined) return { value: again, text: repaired, changed: what };
  }
  return { value: undefined, text };
}

const REPAIRS: readonly { readonly what: string; readonly repair: (text: string) => string }[] = [
  {
    what: 'tabs were replaced by spaces',
    repair: (text) => text.replaceAll(/^[ \t]+/gm, (indent) => indent.replaceAll('\t', '  ')),
  },
  {
    what: 'curly quotes were replaced by straight ones',
    repair: (text) => text.replaceAll(/[“”„]/g, '"').replaceAll(/[‘’]/g, "'"),
  },
  {
    what: 'values that start with a special character were put in quotes',
    repair: (text) =>
      text.replaceAll(
        /^([ \t]*(?:- +)?(?:[\w.-]+: +)?)([@`%&*!|>{[][^\n"']*)$/gm,
        (_, head: string, value: string) => `${head}${JSON.stringify(value.trim())}`,
      ),
  },
];

function attempt(text: string): unknown {
  try {
    const document = parseDocument(text, {
      uniqueKeys: false,
      logLevel: 'silent',
      stringKeys: true,
      prettyErrors: false,
    });
    return document.errors.length > 0 ? undefined : document.toJS({ maxAliasCount: 50 });
  } catch {
    return undefined; // whatever the parser could not stand, it is no YAML to us
  }
}

/** A fragment from the middle of a file is indented as a whole. */
function dedent(text: string): string {
  const lines = text.split('\n');
  const indents = lines
    .filter((line) => line.trim() !== '')
    .map((line) => /^[ ]*/.exec(line)?.[0].length ?? 0);
  const common = indents.reduce((least, indent) => Math.min(least, indent), Number.POSITIVE_INFINITY);
  return common > 0 && Number.isFinite(common) ? lines.map((line) => line.slice(common)).join('\n') : text;
}
