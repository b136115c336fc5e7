import { asksForSecret, namesFolder } from './secret-fields.ts';

/** One value that a server asked for when it was started or reached without it. */
export interface NeededValue {
  readonly where: 'env' | 'argument' | 'header';
  /** `FIGMA_API_KEY`, `--access-token`, `Authorization`; for an argument without a flag, what it stands for. */
  readonly name: string;
}

/** Any one of these is enough; the first is asked for. */
export interface NeededInput {
  readonly oneOf: readonly NeededValue[];
}

/** A needed value as a form asks for it. */
export interface NeededField extends NeededValue {
  readonly title: string;
  readonly kind: 'secret' | 'folder' | 'text';
}

/** Of several that are as good, the first. */
export function neededFields(needs: readonly NeededInput[]): readonly NeededField[] {
  return needs.flatMap(({ oneOf: [value] }) => {
    if (value === undefined) return [];
    const kind = isSecretValue(value) ? 'secret' : namesFolder(value.name) ? 'folder' : 'text';
    return [{ ...value, title: titleOfValue(value), kind } as const];
  });
}

/** The needs that a failure carries in its details, as they came over the wire. */
export function needsOf(details: Readonly<Record<string, unknown>> | undefined): readonly NeededInput[] {
  const needs = details?.['needs'];
  // Written by ourselves, into an error of our own.
  return Array.isArray(needs) ? (needs as readonly NeededInput[]) : [];
}

/** `FIGMA_API_KEY` is the “Figma API key”: the name that people know it by. */
export function titleOfName(name: string): string {
  if (/^authorization$/i.test(name)) return 'API key';
  const words = name
    .replace(/^-+|^x-(?=\w)/i, '')
    .replaceAll(/([a-z]\d*)([A-Z])/g, '$1 $2')
    .split(/[\s_.-]+/)
    .filter((word) => word !== '')
    .map((word) => word.toLowerCase())
    // “Your API key” is what a sample says; the field is the API key.
    .filter((word, index, all) => index > 0 || all.length === 1 || !/^(?:your|my)$/.test(word));
  const spelled = words.map((word) => SPELLING.get(word) ?? word);
  const [first = '', ...rest] = spelled;
  return [first.charAt(0).toUpperCase() + first.slice(1), ...rest].join(' ');
}

export function titleOfValue({ where, name }: NeededValue): string {
  return where === 'header' ? 'API key' : titleOfName(name);
}

export function isSecretValue({ where, name }: NeededValue): boolean {
  return where === 'header' || asksForSecret(name.replace(/^-+/, ''));
}

/** Words that are not written in small letters. */
const SPELLING: ReadonlyMap<string, string> = new Map(
  'API URL URI ID PAT JWT AWS SSH SSL TLS DSN HTTP HTTPS OAuth GitHub GitLab HubSpot OpenAI MCP DB SQL IP JSON CA'
    .split(' ')
    .map((word) => [word.toLowerCase(), word] as const),
);
