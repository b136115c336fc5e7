import type { Remedy } from '../base/remedy.ts';
import { sentenceOf } from '../base/remedy-sentence.ts';
import { aboutServer, lineOf, shorten, type SaidOfItself } from './about-server.ts';
import { estimateTokens } from './tokens/estimate-tokens.ts';
import type { Tool } from './tool.ts';

export interface GuidanceOptions {
  readonly servers: readonly (SaidOfItself & { readonly id: string })[];
  readonly tools: {
    readonly tools: readonly Pick<Tool, 'server' | 'name' | 'flags'>[];
    readonly unavailable: readonly {
      readonly server: string;
      readonly state: { readonly reason: string; readonly remedy?: Remedy };
    }[];
  };
  readonly how?: string;
  /** Whether tools are named; default true. They need not be where they are listed. */
  readonly named?: boolean;
}

/** How to reach tools, which servers there are, and which are missing. Shrinks to fit the budget. */
export function guidance(
  { servers, tools, how = '', named = true }: GuidanceOptions,
  tokensMax: number,
): string {
  const missing = missingLines(tools.unavailable, Math.floor(tokensMax / 3));
  const byServer = Map.groupBy(tools.tools, ({ server }) => server);
  const known = servers
    .filter(({ id }) => byServer.has(id) && !tools.unavailable.some(({ server }) => server === id))
    // A flagged tool is counted but not named.
    .map((server) => ({
      server,
      names: (byServer.get(server.id) ?? []).map(({ name, flags }) => (flags.length > 0 ? '' : name)),
    }))
    .toSorted((a, b) => (a.server.id < b.server.id ? -1 : 1));
  for (const { aboutChars, namesShown } of LEVELS) {
    const lines = known.map(({ server, names }) => {
      const about = aboutChars === 0 ? '' : aboutServer(server, aboutChars);
      return serverLine(server.id, about, names, named ? namesShown : undefined);
    });
    const text = join(how, lines, missing);
    if (cautiously(text) <= tokensMax) return text;
  }
  const room = tokensMax - cautiously(join(how, [''], missing));
  const ids = known.map(({ server }) => server.id);
  return join(how, [idsWithin(ids, room)], missing);
}

const LEVELS = [
  { aboutChars: 160, namesShown: 6 },
  { aboutChars: 120, namesShown: 3 },
  { aboutChars: 80, namesShown: 0 },
  { aboutChars: 40, namesShown: 0 },
  { aboutChars: 0, namesShown: 0 },
] as const;

/** With neither names nor their number where none are to be shown. */
function serverLine(
  id: string,
  about: string,
  names: readonly string[],
  namesShown: number | undefined,
): string {
  if (namesShown === undefined) return `- ${id}${about === '' ? '' : `: ${about}`}`;
  const count = names.length === 1 ? '1 tool' : `${names.length} tools`;
  const shown = names.filter((name) => PLAIN_NAME.test(name)).slice(0, namesShown);
  const such = shown.length === 0 ? '' : ` (${shown.join(', ')}${shown.length < names.length ? ', …' : ''})`;
  return `- ${id}, ${count}${such}${about === '' ? '' : `: ${about}`}`;
}

function missingLines(unavailable: GuidanceOptions['tools']['unavailable'], tokensMax: number) {
  const lines: string[] = [];
  let left = tokensMax;
  for (const [index, { server, state }] of unavailable.entries()) {
    const next =
      state.remedy === undefined ? '' : ` Next: ${shorten(lineOf(sentenceOf(state.remedy)), NEXT_CHARS_MAX)}`;
    const lineWith = (chars: number): string => `- ${server}: ${shorten(lineOf(state.reason), chars)}${next}`;
    // A reason of a server may be long; what to do next must still fit.
    const whole = lineWith(REASON_CHARS_MAX);
    const line = cautiously(whole) <= left ? whole : lineWith(REASON_CHARS_SHORT);
    left -= cautiously(line);
    if (left < 0) return [...lines, `- and ${unavailable.length - index} more`];
    lines.push(line);
  }
  return lines;
}

function idsWithin(ids: readonly string[], tokensMax: number): string {
  let shown = 0;
  let left = tokensMax - MORE_TOKENS;
  for (const id of ids) {
    left -= cautiously(`, ${id}`);
    if (left < 0) break;
    shown += 1;
  }
  const more = ids.length - shown;
  return `${ids.slice(0, shown).join(', ')}${more === 0 ? '' : ` and ${more} more`}`;
}

function join(how: string, servers: readonly string[], missing: readonly string[]): string {
  return [
    how,
    servers.length === 0 ? '' : `Servers:\n${servers.join('\n')}`,
    missing.length === 0 ? '' : `Not available now:\n${missing.join('\n')}`,
  ]
    .filter((part) => part !== '')
    .join('\n\n');
}

/** The estimate may be a tenth too low. */
function cautiously(text: string): number {
  return Math.ceil(estimateTokens(text) * 1.15);
}

const REASON_CHARS_MAX = 160;
const REASON_CHARS_SHORT = 40;
const NEXT_CHARS_MAX = 120;
const MORE_TOKENS = 8;
const PLAIN_NAME = /^[\w.-]{1,48}$/;
