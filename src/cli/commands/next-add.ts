import { secretsSaid } from '../../agent/setup-agent/secrets-said.ts';
import { createRedactor } from '../../base/redact.ts';
import { HIDDEN, namesSecret } from '../../base/secret-names.ts';
import { shellWord, shellWords } from '../../base/shell-words.ts';
import { literalSecretsIn } from '../../hub/secrets-in.ts';
import { definitionFrom } from '../../servers/paste/definition-from.ts';
import { parsePaste } from '../../servers/paste/parse-paste.ts';
import type { PastedServer } from '../../servers/paste/paste.ts';
import type { FormField } from '../../servers/plans/plan.ts';
import { PAIR } from './pair.ts';

/**
 * The command that was typed, with the missing values put where they belong. It is read on screens, in
 * logs and from shell histories, so that every key in it becomes KEY.
 */
export function nextAddLine(
  argv: readonly string[],
  open: readonly FormField[],
  form: readonly FormField[],
): string {
  const isPlain = ({ where, label }: FormField): boolean => where !== 'argument' || PAIR.test(`${label}=`);
  const pairs = open.filter(isPlain).map((field) => `${shellWord(field.label)}=${sampleOf(field)}`);
  const args = open
    .filter((field) => !isPlain(field))
    .map((field) => (field.label.startsWith('-') ? `${field.label}=${sampleOf(field)}` : sampleOf(field)));
  const shown = withoutKeys(argv, form);
  const dashes = argv.indexOf('--');
  const [before, after] = dashes < 0 ? [shown, []] : [shown.slice(0, dashes), shown.slice(dashes)];
  // A command that was typed as one text gets its arguments inside of it.
  const inside = dashes < 0 && args.length > 0 ? before.findIndex((word) => /\s/.test(word)) : -1;
  const typed = before.map((word, index) => (index === inside ? [word, ...args].join(' ') : word));
  const rest = inside < 0 ? args : [];
  return ['plug', ...typed.map(shellWord), ...pairs, ...after.map(shellWord), ...rest].join(' ');
}

function sampleOf({ kind }: FormField): string {
  if (kind === 'secret') return KEY;
  if (kind === 'folder' || kind === 'folders') return 'FOLDER';
  return kind === 'file' || kind === 'files' ? 'FILE' : 'VALUE';
}

const KEY = 'KEY';
/** Read from standard input: what was typed holds a key in a form that cannot be shown without it. */
const FROM_INPUT = '-';

function withoutKeys(argv: readonly string[], form: readonly FormField[]): readonly string[] {
  const dashes = argv.indexOf('--');
  const command = dashes < 0 ? '' : shellWords(argv.slice(dashes + 1));
  // Sample text that a field is named after is where its value goes: `--api-key=YOUR_API_KEY`.
  const isSample = (text: string): boolean => form.some(({ label, id }) => label === text || id === text);
  const secrets = [...new Set([...argv, command].flatMap(secretsInWord))]
    .filter((secret) => !isSample(secret))
    .toSorted((a, b) => b.length - a.length);
  const redactor = createRedactor();
  for (const secret of secrets) redactor.learn(secret);
  return argv.map((word, index) => {
    const named = isSample(word) ? word : hideNamed(word, argv[index - 1] ?? '', form);
    const plain = secrets.reduce(
      (text, secret) =>
        text === secret || secret.length >= REPLACED_CHARS_MIN ? text.replaceAll(secret, KEY) : text,
      named,
    );
    // Encoded, as in a link: nothing of it can be replaced so that it still reads.
    if (redactor.mentions(plain)) return dashes >= 0 && index > dashes ? KEY : FROM_INPUT;
    return aroundSamples(plain, form, (text) => redactor.redactText(text).replaceAll(HIDDEN, KEY));
  });
}

/** A reference is never hidden, so that sample text stands as one meanwhile. */
function aroundSamples(text: string, form: readonly FormField[], hide: (text: string) => string): string {
  const samples = form.map(({ label }) => label).filter((label) => label !== '');
  const marked = samples.reduce((out, sample, index) => {
    const whole = new RegExp(`=${sample.replaceAll(/[^\w]/g, String.raw`\$&`)}(?![\\w-])`, 'g');
    return out.replaceAll(whole, () => `=\${sample:${index}}`);
  }, text);
  return samples.reduce(
    (out, sample, index) => out.replaceAll(`=\${sample:${index}}`, () => `=${sample}`),
    hide(marked),
  );
}

/** A shorter one may be a part of any word. */
const REPLACED_CHARS_MIN = 6;

function secretsInWord(word: string): readonly string[] {
  const { servers } = parsePaste(word);
  const isEncoded = servers.some(({ url, command }) => !word.includes(url ?? command ?? ''));
  const secrets = isEncoded ? servers.flatMap(secretsOfServer) : secretsSaid(word);
  const name = PAIR.exec(word)?.[0] ?? '';
  // `folders=/home/ann/notes-2026` is a path behind its name.
  if (name !== '' && !namesSecret(name.slice(0, -1)) && isSetting(word.slice(name.length))) return [];
  // An address is replaced in its parts, so that the rest of it can be read.
  return secrets.filter((secret) => !isSetting(secret) && !/^(?:https?|wss?):\/\//i.test(secret));
}

function secretsOfServer(server: PastedServer): readonly string[] {
  const { env = {}, headers = {} } = server;
  const named = Object.entries({ ...env, ...headers }).flatMap(([name, value]) =>
    namesSecret(name) ? [value] : [],
  );
  try {
    return [...named, ...literalSecretsIn(definitionFrom(server, { source: { kind: 'manual' } }))];
  } catch {
    return named; // declined, or only named: there is no command or address that could hold one
  }
}

/** `NAME=value`, `--token=value`, `--token value`, `Name: value`: a short key is known by its name alone. */
function hideNamed(word: string, before: string, form: readonly FormField[]): string {
  const flag = /^--?([A-Za-z][\w-]*)$/.exec(before)?.[1];
  if (flag !== undefined && namesSecret(flag) && !word.startsWith('-') && !isSetting(word)) return KEY;
  const [, head = '', name = '', value = ''] =
    /^((?:--?[a-z-]+=)?-{0,2}([A-Za-z_][\w.-]*)(?:=|:\s*)(?:(?:bearer|basic|token)\s+)?)([^]+)$/i.exec(
      word,
    ) ?? [];
  const isField = form.some(({ kind, label, id }) => kind === 'secret' && (label === name || id === name));
  const isSample = form.some(({ label, id }) => label === value || id === value);
  return isField || (namesSecret(name) && !isSetting(value) && !isSample) ? head + KEY : word;
}

/** Not a key, whatever its name: `--auth none`, a reference, a path. */
function isSetting(value: string): boolean {
  return /^(?:true|false|none|null|default|oauth|bearer|basic|\$.*|[~.]?[/\\].*)$/i.test(value);
}
