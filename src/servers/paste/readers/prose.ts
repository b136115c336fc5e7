import { isObject } from '../../../base/json.ts';
import { transportOf } from '../aliases.ts';
import { lineDraft } from '../commands/known-commands.ts';
import { looksLikeEntry, readEntry, transportOfUrl } from '../entry.ts';
import { readLenientJson } from '../lenient-json.ts';
import { findUrls, type FoundUrl } from '../urls.ts';
import { splitWords } from '../words.ts';
import { spokenHeaders, spokenTransport } from './spoken.ts';
import { NOTHING, type Draft, type Finding, type Reader, type Reading, type View } from '../view.ts';

export const proseReader: Reader = { name: 'instructions', read: readProse };

function readProse(view: View): Reading {
  const quoted = readQuotedFields(view);
  if (quoted) return instructions(quoted);
  const label = labelsIn(view.text);
  const address = addressOf(view, label);
  const base = { name: label('name') ?? null, extra: {} };
  if (address) {
    const { url, at } = address;
    const headers = headersIn(view.text);
    const said = transportOf(label('transport')) ?? spokenTransport(view.text);
    const draft: Draft = {
      ...base,
      transport: said === undefined || said === 'stdio' ? transportOfUrl(url) : said,
      url,
      ...(Object.keys(headers).length > 0 ? { headers } : {}),
    };
    return instructions({ draft, at, rank: 'prose', document: at });
  }
  const command = label('command') ?? '';
  const line = /^[\w./~$@-]+/.test(command) ? lineDraft(splitWords(command)) : undefined;
  const more = label('args') ?? '';
  if (!line || (base.name === null && !/mcp/i.test(`${command} ${more}`)))
    return base.name === null ? NOTHING : { ...NOTHING, name: base.name };
  const args = [...(line.args ?? []), ...splitWords(more)];
  return instructions({ draft: { ...line, ...base, args }, at: 0, rank: 'prose', document: 0 });
}

function instructions(finding: Finding): Reading {
  return { found: [finding], claims: [], format: 'instructions' };
}

/** Single fields in prose: `"command": "cmd"` with `"args": [...]`. */
function readQuotedFields(view: View): Finding | undefined {
  const members: string[] = [];
  let at = -1;
  for (const match of view.text.matchAll(/`\s*(["“][\w-]{1,40}["”]\s*:[^`\n]{1,2000})`/g)) {
    view.budget.step(match[0].length);
    members.push((match[1] ?? '').replace(/,\s*$/, ''));
    if (at < 0) at = match.index;
    if (members.length >= 20) break;
  }
  if (members.length === 0) return undefined;
  const value = readLenientJson(`{${members.join(',')}}`, 0, { budget: view.budget })?.value;
  if (!isObject(value) || !looksLikeEntry(value)) return undefined;
  const reading = readEntry(value, null);
  return reading.kind === 'server' ? { draft: reading.draft, at, rank: 'prose', document: at } : undefined;
}

const LABELS = {
  name: String.raw`(?:server[ _-]?|display[ _-]?)?(?:name|id)(?: the server)?|nome|nombre|nom|имя|название|名称|名前|이름`,
  url: String.raw`(?:remote )?(?:mcp )?(?:server[ _-]?)?(?:url|endpoint|address|uri)|адрес|地址`,
  transport: String.raw`transport(?: type)?|(?:server |connection )?type|choose|протокол|传输`,
  command: String.raw`command|commande|comando|befehl|команда|命令|コマンド`,
  args: String.raw`arguments|args`,
} as const;

type Field = keyof typeof LABELS;
type Label = (field: Field) => string | undefined;

const TICK = '\\x60';
/** `_` marks words in Markdown; in `SAP_URL=…` it is a part of the name. */
const BEFORE = `(?:^|[\\s*("'·|,>→${TICK}:-]|(?<!\\w)_)(?:the )?`;

/** A code span a few words after the label, bold text after it, and the rest of the line after a colon. */
function patternsOf(field: Field) {
  const label = `${BEFORE}(?:${LABELS[field]})(?![\\p{L}\\p{N}])`;
  const between = `${TICK}?[\\s*_"']{0,4}(?:[:：=]|to|is)?[^${TICK}\\n:：]{0,24}[:：]?[\\s*]{0,4}`;
  return {
    coded: new RegExp(`${label}${between}${TICK}([^${TICK}\\n]{1,300})${TICK}`, 'imu'),
    bold: new RegExp(`${label}\\s*\\*\\*([^*\\n]{1,60})\\*\\*`, 'imu'),
    plain: new RegExp(
      `${label}[*_"'${TICK}]{0,4}\\s*[:：=][*_]{0,3}\\s*([^\\s${TICK}*][^${TICK}\\n·|]{0,300})`,
      'imu',
    ),
  };
}

const PATTERNS = {
  name: patternsOf('name'),
  url: patternsOf('url'),
  transport: patternsOf('transport'),
  command: patternsOf('command'),
  args: patternsOf('args'),
};

/** `Name: value`, a bold name before a code span, and “Set Name to value”. */
function labelsIn(text: string): Label {
  const start = text.slice(0, 20_000);
  return (field) => {
    const { coded, bold, plain } = PATTERNS[field];
    const found =
      coded.exec(start)?.[1] ??
      (field === 'transport' ? bold.exec(start)?.[1] : undefined) ??
      plain.exec(start)?.[1];
    const value = found?.trim();
    // `name: "x",` and `NAME="x" \` stand in code.
    const bare = field === 'name' ? value?.replace(/(?:[,;.]\s.*|[,;\\\s]+)$/, '') : value;
    // `ACME_CLIENT_SECRET` is the name of a variable.
    if (field === 'name' && /^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+$/.test(bare ?? '')) return undefined;
    return bare?.replace(/^["“](.*)["”]$/, '$1');
  };
}

function addressOf(view: View, label: Label): FoundUrl | undefined {
  const urls = findUrls(view).filter(({ url }) => isServerAddress(url));
  const named = label('url');
  const labelled = urls
    .filter(({ url }) => named?.includes(url))
    .toSorted((a, b) => b.url.length - a.url.length)[0];
  const strong = urls.filter(({ url }) => isMcpAddress(url));
  // “API endpoint” is a label too: a URL that says MCP is better.
  // A long text that never says MCP has the addresses of something else.
  const isAbout = view.text.length <= SHORT_TEXT_CHARS || /mcp/i.test(view.text);
  if (labelled && (isMcpAddress(labelled.url) || (strong.length === 0 && isAbout))) return labelled;
  if (Object.keys(headersIn(view.text)).length > 0 || spokenTransport(view.text) !== undefined)
    return strong[0] ?? (urls.length === 1 ? urls[0] : undefined);
  return label('name') === undefined ? undefined : strong[0];
}

const SHORT_TEXT_CHARS = 600;

function isServerAddress(url: string): boolean {
  return /^(?:https?|wss?):\/\//i.test(url) && !NEVER.test(url);
}

const NEVER =
  /^https?:\/\/(?:docs?\.|(?:www\.)?(?:github|gitlab|npmjs|pypi|youtube|claude|chatgpt|perplexity|wikipedia|medium|codecov)\.)|\.(?:svg|png|jpe?g|gif|webp|md|html?|pdf|zip|gz|tgz|sh|ps1|exe|dmg|json|ya?ml)(?:[?#]|$)|\/(?:docs?|help|help-center|blog|healthz?|status|login|signup|pricing|dashboard|settings)(?:[/?#]|$)/i;

function isMcpAddress(url: string): boolean {
  return (
    isServerAddress(url) &&
    (/^[a-z]+:\/\/[^/?#]*(?:^|[./-])?mcp/i.test(url) || /\/(?:[\w-]*mcp[\w-]*|sse)(?:[/?#]|$)/i.test(url))
  );
}

/** Headers in a sentence or a comment. */
function headersIn(text: string): Readonly<Record<string, string>> {
  const start = text.slice(0, 20_000);
  const variable = /bearer_token_env_var\s*=\s*["'`]?([A-Za-z_]\w*)/.exec(start)?.[1];
  if (variable !== undefined) return { Authorization: `Bearer \${${variable}}` };
  const bearer = BEARER.exec(start)?.[1];
  if (bearer !== undefined) return { Authorization: bearer };
  const [, name, value] = ANY_HEADER.exec(start) ?? [];
  return name === undefined || value === undefined ? spokenHeaders(start) : { [name]: value };
}

const BEARER =
  /Authorization["'`*]*\s*[:=]\s*["'`*]*((?:Bearer|Basic|Token)\s+(?:<[^<>\n]{1,80}>|\$\{[^}\n]{1,80}\}|[^\s`"')<]{1,300}))/i;

const ANY_HEADER =
  /\bheaders?["'`*:]*\s+["'`*]*([A-Za-z][A-Za-z0-9-]{1,60})\s*[:=]\s*["']?(<[^<>\n]{1,80}>|your [A-Za-z -]{2,40}|[^\s`"'),<]{1,300})/i;

export const addressReader: Reader = { name: 'address', read: readAddresses };

function readAddresses(view: View): Reading {
  const urls = findUrls(view).filter(({ url }) => isServerAddress(url));
  const only = urls.length > 0 && urls.every(({ url }) => url === urls[0]?.url);
  const chosen =
    only && (isMostOf(view, urls[0]?.url ?? '') || invited(view))
      ? urls.slice(0, 1)
      : urls.filter(({ url }) => isMcpAddress(url));
  if (chosen.length === 0) return bareHost(view);
  return {
    found: sameEndpointOnce(chosen.map(({ url, at }) => addressFinding(url, at))),
    claims: chosen.map(({ at, end }) => ({ from: at, to: end })),
    format: 'an address',
  };
}

function addressFinding(url: string, at: number): Finding {
  const draft = { name: null, transport: transportOfUrl(url), url, extra: {} };
  return { draft, at, rank: 'address', document: at };
}

function isMostOf({ text }: View, url: string): boolean {
  const around = text
    .replaceAll(url, ' ')
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
  return around.length <= 40;
}

function invited({ text }: View): boolean {
  return text.length < 1_000 && /\bmcp\b|connector|\bserver\b/i.test(text.replaceAll(/https?:\S+/g, ' '));
}

/** This machine has many names: with the same port and path they are one server. */
function sameEndpointOnce(found: readonly Finding[]): readonly Finding[] {
  const byEndpoint = Map.groupBy(found, ({ draft: { url = '' } }) =>
    url.replace(THIS_MACHINE, '$1localhost').replace(/\/$/, ''),
  );
  return [...byEndpoint.values()].flatMap(([first]) => first ?? []);
}

const THIS_MACHINE =
  /^(\w+:\/\/)(?:localhost|127\.0\.0\.1|0\.0\.0\.0|host\.docker\.internal|\[::1\])(?=[:/]|$)/i;

/** `mcp.example.com/mcp` without a scheme, as the whole paste. */
function bareHost({ text }: View): Reading {
  const host = BARE_HOST.exec(text.length < 500 ? text : '')?.[1];
  if (host === undefined || !/mcp|sse|localhost/i.test(host)) return NOTHING;
  const url = `${host.startsWith('localhost') ? 'http' : 'https'}://${host}`;
  return {
    found: [addressFinding(url, 0)],
    claims: [],
    changes: [{ line: 1, what: `the address had no scheme; it was read as ${url}` }],
    edits: [{ from: text.indexOf(host), to: text.indexOf(host) + host.length, by: url }],
    format: 'an address',
  };
}

const BARE_HOST =
  /^\s*((?:[\w-]+\.)+[a-z]{2,}(?::\d{1,5})?(?:\/[^\s]*)?|localhost:\d{1,5}(?:\/[^\s]*)?)\s*$/i;
