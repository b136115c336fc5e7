import { defined } from '../../../base/defined.ts';
import { splitPair, headerPair, readEntry, transportOfUrl } from '../entry.ts';
import { nextStep } from '../../../base/remedy-command.ts';
import { type Json, isObject } from '../../../base/json.ts';
import { transportOf } from '../aliases.ts';
import { readInputList } from '../../entry/inputs.ts';
import { findServers } from '../containers.ts';
import type { PasteProblem } from '../paste.ts';
import { decodePercent, findUrls, queryOf } from '../urls.ts';
import type { Budget, Draft, Finding, Range, Reader, Reading, View } from '../view.ts';
import { readLenientJson } from '../lenient-json.ts';

export const deepLinkReader: Reader = { name: 'deep link', read: readDeepLinks };

function readDeepLinks(view: View): Reading {
  const found: Finding[] = [];
  const claims: Range[] = [];
  const problems: PasteProblem[] = [];
  let format: string | undefined;
  for (const { url, at, end } of findUrls(view)) {
    const link = openLink(url, 0);
    if (!link) continue;
    const { drafts, damage } = readLink(link, view.budget);
    claims.push({ from: at, to: end });
    format ??= clientOf(link);
    found.push(...drafts.map((draft) => ({ draft, at, rank: 'config' as const, document: at })));
    const line = view.lineAt(at);
    for (const message of damage) problems.push({ message, line, severity: 'warning', owner: 'you' });
    if (drafts.length > 0) continue;
    problems.push({
      message: 'This link should hold a server, but its config cannot be decoded; it may have been cut off.',
      severity: 'error',
      owner: 'you',
      line,
      ...nextStep('Copy the whole link again, or paste the config itself.'),
    });
  }
  return { found, claims, problems, ...defined({ format }) };
}

const INSTALLS =
  /^[a-z][a-z0-9+.-]*:(?:\/\/)?(?:[^?#]*\/)?(?:(?:[a-z]+\.)?(?:mcp|plugin)[/-](?:install|add)|install-mcp|mcp-install|add_mcp|add-mcp|extension|install)\/?\?/i;
const OTHER_SITES =
  /^https?:\/\/(?!(?:[^/?#]*\.)?(?:cursor\.com|vscode\.dev|lmstudio\.ai|goose|block\.github\.io|kiro\.dev|lobehub\.com)[/?])/i;

function openLink(url: string, depth: number): string | undefined {
  const query = queryOf(url);
  const nested = query.find(
    ([key, value]) => /^(?:url|link|target|to)$/i.test(key) && /^[a-z][a-z0-9+.-]*:/i.test(value),
  );
  if (nested && depth < 4 && /redirect|open|launch/i.test(url.slice(0, url.indexOf('?'))))
    return openLink(nested[1], depth + 1);
  if (!INSTALLS.test(url)) return undefined;
  const carries =
    query.some(([key]) => /^(?:config|servers?|schema|cmd|url|json|mcp|command)$/i.test(key)) ||
    /\?(?:%7B|\{)/i.test(url);
  return carries || (!OTHER_SITES.test(url) && !/^https?:/i.test(url)) ? url : undefined;
}

function readLink(url: string, budget: Budget): { drafts: readonly Draft[]; damage: readonly string[] } {
  const query = queryOf(url);
  const get = (...keys: readonly string[]): string | undefined =>
    query.find(([key, value]) => keys.includes(key.toLowerCase()) && value !== '')?.[1];
  const name = get('name', 'id', 'identifier')?.replaceAll('+', ' ') ?? null;
  const bare = /\?(?:%7B|\{)/i.test(url) ? decodePercent(url.slice(url.indexOf('?') + 1)) : undefined;
  const text = bare ?? get('config', 'servers', 'server', 'schema', 'json', 'mcp');
  if (text !== undefined) {
    const payload = decodePayload(text, budget);
    if (!payload) return { drafts: [], damage: [] };
    const inputs = decodePayload(get('inputs') ?? '', budget);
    return { drafts: fromPayload(payload, name, inputs?.value), damage: payload.damage };
  }
  const draft = fromParameters(query, name);
  return { drafts: draft ? [draft] : [], damage: [] };
}

function fromPayload({ value }: Payload, name: string | null, inputs: Json | undefined): readonly Draft[] {
  const asked = Array.isArray(inputs) ? readInputList(inputs) : [];
  const { servers } = findServers(value);
  const drafts = servers.length > 0 ? servers.map(({ draft }) => draft) : single(value, name);
  const isNamed = (given: string | null): boolean =>
    given !== null && servers.length > 0 && hasKey(value, given);
  return drafts.map((draft) => ({
    ...draft,
    name: drafts.length === 1 && name !== null && !isNamed(draft.name) ? name : draft.name,
    ...(asked.length > 0 ? { inputs: asked } : {}),
  }));
}

function single(value: Json, name: string | null): readonly Draft[] {
  const reading = readEntry(value, name);
  return reading.kind === 'server' ? [reading.draft] : [];
}

function hasKey(value: Json, key: string): boolean {
  return isObject(value) && !Object.hasOwn(value, key) && isObject(value['mcpServers']);
}

/** goose puts the command into parameters; its variables hold descriptions. */
function fromParameters(
  query: readonly (readonly [string, string])[],
  name: string | null,
): Draft | undefined {
  const all = (key: string): readonly string[] =>
    query.filter(([other]) => other === key).map(([, value]) => value.replaceAll('+', ' '));
  const [url] = all('url');
  const command = all('cmd')[0] ?? all('command')[0];
  const env = Object.fromEntries(all('env').map((pair) => splitPair(pair, '=')));
  const asked = Object.keys(env).filter((key) => !isSetting(env[key] ?? ''));
  const seconds = Number(all('timeout')[0]);
  const more = {
    ...(Object.keys(env).length > 0 ? { env, asked } : {}),
    ...(Number.isFinite(seconds) && seconds > 0 ? { timeouts: { callMs: seconds * 1_000 } } : {}),
    extra: {},
  };
  const label = all('name')[0] ?? name;
  if (url !== undefined && (command === undefined || /^https?$/i.test(command))) {
    const headers = Object.fromEntries(all('header').map(headerPair));
    const transport = transportOf(all('type')[0]) ?? transportOfUrl(url);
    return { name: label, transport, url, ...(Object.keys(headers).length > 0 ? { headers } : {}), ...more };
  }
  if (command === undefined) return undefined;
  return { name: label, transport: 'stdio', command, args: all('arg'), ...more };
}

/** A usable value, not a description of one. */
function isSetting(value: string): boolean {
  return /^(?:true|false|\d+|[a-z]+|[a-z]+:\/\/\S+)$/.test(value);
}

const CLIENTS: readonly (readonly [RegExp, string])[] = [
  [/^cursor:|cursor\.com/i, 'Cursor link'],
  [/^vscode|vscode\.dev|^vsweb/i, 'VS Code link'],
  [/^lmstudio:|lmstudio\.ai/i, 'LM Studio link'],
  [/^goose:|goose/i, 'goose link'],
  [/^lobehub:|lobehub/i, 'LobeHub link'],
  [/^kiro:|kiro\.dev/i, 'Kiro link'],
  [/^cherrystudio:/i, 'Cherry Studio link'],
  [/^raycast:/i, 'Raycast link'],
];

function clientOf(url: string): string {
  const start = url.slice(0, 80);
  return CLIENTS.find(([pattern]) => pattern.test(start))?.[1] ?? 'install link';
}

interface Payload {
  readonly value: Json;
  readonly damage: readonly string[];
}

export function decodePayload(text: string, budget: Budget): Payload | undefined {
  const plain = text.trim();
  if (/^[{[]/.test(plain)) return parse(plain, budget);
  if (/^%(?:25)*7B/i.test(plain)) {
    const decoded = decodePercent(decodePercent(plain));
    return /^[{[]/.test(decoded) ? parse(decoded, budget) : undefined;
  }
  const decoded = decodeBase64(plain);
  if (decoded === undefined) return undefined;
  const inner = decoded.trim();
  if (inner.startsWith('%7B')) return parse(decodePercent(inner), budget);
  return /^[{["]/.test(inner) ? parse(inner, budget) : undefined;
}

function parse(text: string, budget: Budget): Payload | undefined {
  const result = readLenientJson(text, 0, { budget });
  if (!result || typeof result.value !== 'object' || result.value === null) return undefined;
  const damage = result.truncated
    ? ['The config in the link is cut off at its end; what was complete has been read.']
    : result.changes.map(({ what }) => `In the config of the link, ${what}.`);
  return { value: result.value, damage };
}

/** Standard or URL-safe, with or without padding; one client swaps the two signs. */
function decodeBase64(text: string): string | undefined {
  const plain = text.replaceAll(' ', '+').replaceAll(/[\s=]|%3D/gi, '');
  if (plain.length < 8 || !/^[\w+/-]+$/.test(plain)) return undefined;
  const standard = plain.replaceAll('-', '+').replaceAll('_', '/');
  const decoded = fromBase64(standard);
  if (decoded !== undefined && /^\s*(?:[{["]|%7B)/.test(decoded)) return decoded;
  return fromBase64(plain.replaceAll('-', '/').replaceAll('_', '+'));
}

function fromBase64(text: string): string | undefined {
  // A length of 4n + 1 means that it was cut off.
  const whole = text.length % 4 === 1 ? text.slice(0, -1) : text;
  try {
    const bytes = Uint8Array.from(atob(whole), (char) => char.charCodeAt(0));
    return new TextDecoder().decode(bytes);
  } catch {
    return undefined; // not base64
  }
}
