import { createScanner, type SyntaxKind } from 'jsonc-parser';
import { canonicalJson, type Json, type JsonObject } from '../../base/json.ts';
import { HIDDEN } from '../../base/secret-names.ts';
import { looksSecret } from '../../base/secret-shapes.ts';
import { parseEntry } from '../../servers/config-entry.ts';
import { parseConfigText } from '../../servers/config-text.ts';
import { fingerprintOf, type ServerDefinition } from '../../servers/definition.ts';
import { takeKeys, type PlaintextKey } from '../../servers/clients/plaintext-keys.ts';

export interface CleanConfigText {
  readonly text: string;
  readonly keys: CleanDefinition['keys'];
  /** Fingerprint as it was → as it is with references: what is bound to the one holds for the other. */
  readonly rebound: ReadonlyMap<string, string>;
}

/** An `mcp.json` with references in place of readable secrets; undefined if that can't be done for sure. */
export function cleanConfigText(
  text: string,
  path: string,
  redactText: (text: string) => string,
): CleanConfigText | undefined {
  const before = definitionsIn(text, path);
  if (!before) return undefined;
  const cleaned = before.map(cleanDefinition);
  const keys = cleaned.flatMap((one) => one.keys);
  // The longest first: one key may be a part of another.
  const byLength = keys.toSorted((a, b) => b.value.reveal().length - a.value.reveal().length);
  const replaced = byLength.reduce(
    (shown, { name, value }) => shown.replaceAll(written(value.reveal()), () => `\${vault:${name}}`),
    text,
  );
  const now = withoutSecretComments(replaced, redactText);
  const after = definitionsIn(now, path);
  const isExact =
    after?.length === cleaned.length &&
    cleaned.every(({ definition }, at) => canonicalJson(definition) === canonicalJson(after[at]));
  if (!isExact || byLength.some(({ value }) => now.includes(value.reveal()))) return undefined;
  const rebound = before.flatMap((definition, at): readonly [string, string][] => {
    const [old, fresh] = [fingerprintOf(definition), fingerprintOf(cleaned[at]?.definition ?? definition)];
    return old === fresh ? [] : [[old, fresh]];
  });
  return { text: now, keys, rebound: new Map(rebound) };
}

/** Undefined when the file, or one of its entries, cannot be read. */
function definitionsIn(text: string, path: string): readonly ServerDefinition[] | undefined {
  const parsed = parseConfigText(text);
  if (parsed.kind !== 'ok') return undefined;
  const keys = parsed.entries.map(({ key }) => key);
  const source = { kind: 'file', file: path, scope: 'user' } as const;
  const outcomes = parsed.entries.map(({ key, value, line, column }) =>
    parseEntry(key, value, { source, keys, line, column }),
  );
  const definitions = outcomes.flatMap((outcome) => (outcome.kind === 'error' ? [] : [outcome.definition]));
  return definitions.length === outcomes.length ? definitions : undefined;
}

/** As it stands between the quotes. */
function written(value: string): string {
  return JSON.stringify(value).slice(1, -1);
}

/** Comments mean nothing to us: anything in them that looks like a secret may go. */
function withoutSecretComments(text: string, redactText: (text: string) => string): string {
  const scanner = createScanner(text, false);
  let shown = '';
  for (let token = scanner.scan(); token !== EOF; token = scanner.scan()) {
    const piece = text.slice(scanner.getTokenOffset(), scanner.getTokenOffset() + scanner.getTokenLength());
    const isComment = token === LINE_COMMENT || token === BLOCK_COMMENT;
    shown += isComment ? redactText(piece).replaceAll(WORD, hideSecret) : piece;
  }
  return shown;
}

function hideSecret(word: string): string {
  return looksSecret(word) ? HIDDEN : word;
}

const WORD = /[\w+/=.-]{16,}/g;

/** The scanner's own numbers: its names for them are gone when it runs. */
const LINE_COMMENT: SyntaxKind = 12;
const BLOCK_COMMENT: SyntaxKind = 13;
const EOF: SyntaxKind = 17;

export interface CleanDefinition {
  readonly definition: ServerDefinition;
  readonly keys: readonly Pick<PlaintextKey, 'name' | 'value'>[];
}

/** Takes readable secrets out of a definition: files, and values given for inputs, may hold some. */
export function cleanDefinition(given: ServerDefinition): CleanDefinition {
  const { definition, keys } = takeKeys(given);
  // Values of inputs are walked like the fields of other clients: by their names and their looks.
  const inputs = takeKeys({ ...definition, extra: definition.config });
  if (inputs.keys.length === 0) return { definition, keys };
  return {
    definition: { ...definition, config: withoutTaken(inputs.definition.extra, definition.config) },
    keys: [...keys, ...inputs.keys],
  };
}

/** A whole input is looked up in the vault under its own name, so it is dropped. Deeper values become references. */
function withoutTaken(cleaned: JsonObject, before: ServerDefinition['config']): ServerDefinition['config'] {
  const kept = Object.entries(cleaned).filter(
    ([name, value]) => typeof value !== 'string' || value === before[name],
  );
  return Object.fromEntries(kept) as Readonly<Record<string, Json>>; // every value was there before
}
