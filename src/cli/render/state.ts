import type { ErrorCode } from '../../base/errors.ts';
import type { ServerView } from '../../hub/hub.ts';
import type { Piece, Style } from '../output.ts';

type ServerState = ServerView['state'];

/** A state as people read it: a symbol and words, so that neither color nor glyph stands alone. */
export interface StateText {
  readonly symbol: string;
  readonly words: string;
  readonly style: Style;
}

export function renderState(server: Pick<ServerView, 'state' | 'untrusted'>, now: number): StateText {
  if (server.untrusted) return { symbol: '◌', words: 'not trusted yet', style: 'warn' };
  const { state } = server;
  const words = stateWords(state, now);
  const [symbol, style] = LOOKS[state.kind];
  return { symbol, words, style };
}

const LOOKS: Readonly<Record<ServerState['kind'], readonly [symbol: string, style: Style]>> = {
  ready: ['●', 'good'],
  degraded: ['◑', 'warn'],
  starting: ['◔', 'warn'],
  asleep: ['○', 'faint'],
  disabled: ['–', 'faint'],
  'needs-sign-in': ['◐', 'warn'],
  'needs-input': ['◐', 'warn'],
  quarantined: ['⚠', 'bad'],
  failed: ['✖', 'bad'],
};

function stateWords(state: ServerState, now: number): string {
  switch (state.kind) {
    case 'ready':
    case 'degraded':
      return `${state.kind} ${ago(now - state.since)}`;
    case 'starting':
      if (state.remedy?.do === 'open-address') return 'waits for sign-in';
      return state.attempt > 1 ? `starting, attempt ${state.attempt}` : 'starting';
    case 'needs-sign-in':
      // The server refused the key that was given, or wants one: it offers no sign-in.
      if (state.needs !== undefined) return 'needs a key';
      return state.remedy?.do === 'set-secret' ? 'needs another key' : 'needs sign-in';
    case 'needs-input':
      return `needs ${state.missing.join(', ') || 'input'}`;
    case 'failed':
      return failureWords(state);
    case 'asleep':
    case 'disabled':
    case 'quarantined':
    default:
      return state.kind;
  }
}

export function statePieces(
  server: Pick<ServerView, 'id' | 'state' | 'untrusted'>,
  now: number,
): readonly [Piece, string] {
  const { symbol, words, style } = renderState(server, now);
  return [{ style, text: `${symbol} ` }, `${server.id}: ${words}`];
}

export function nextStep(server: Pick<ServerView, 'id' | 'state' | 'untrusted'>): string | undefined {
  if (server.untrusted) return `plug trust ${server.id}`;
  if (server.state.next !== undefined) return server.state.next;
  return server.state.kind === 'failed' ? `plug logs ${server.id}` : undefined;
}

export function needsAttention(server: Pick<ServerView, 'state' | 'untrusted'>): boolean {
  const { untrusted, state } = server;
  // A start with a next step waits for its user.
  return (
    untrusted !== undefined ||
    NEEDS_ATTENTION.has(state.kind) ||
    (state.kind === 'starting' && state.next !== undefined)
  );
}

const NEEDS_ATTENTION: ReadonlySet<ServerState['kind']> = new Set<ServerState['kind']>([
  'needs-sign-in',
  'needs-input',
  'failed',
  'quarantined',
]);

export function ago(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1_000));
  if (seconds < 60) return `${seconds}s ago`;
  if (seconds < 3_600) return `${Math.floor(seconds / 60)}m ago`;
  if (seconds < 86_400) return `${Math.floor(seconds / 3_600)}h ago`;
  return `${Math.floor(seconds / 86_400)}d ago`;
}

const FAILURES: Readonly<Record<Extract<ServerState, { kind: 'failed' }>['cause'], string>> = {
  timeout: 'timed out',
  crashed: 'crashed',
  refused: 'refused',
  config: 'bad config',
  protocol: 'protocol error',
};

/** Codes that say more than the kind of failure. */
const CODES: Readonly<Partial<Record<ErrorCode, string>>> = {
  unreachable: 'unreachable',
  rate_limited: 'rate limited',
  unavailable: 'unavailable',
  missing_command: 'program missing',
};

type Failed = Extract<ServerState, { kind: 'failed' }>;

function failureWords({ cause, code, exitCode, exitSignal }: Failed): string {
  const words = (code && CODES[code]) ?? FAILURES[cause];
  const how = exitCode === undefined ? exitSignal : `exit ${exitCode}`;
  return how === undefined ? words : `${words} (${how})`;
}
