import type { ServerView } from '../../hub/hub.ts';
import type { Piece, Style } from '../output.ts';

type ServerState = ServerView['state'];

/** A state as people read it: a symbol and words, so that neither colour nor glyph stands alone. */
export interface StateText {
  readonly symbol: string;
  readonly words: string;
  readonly style: Style;
}

export function renderState(server: Pick<ServerView, 'state' | 'untrusted'>, now: number): StateText {
  if (server.untrusted) return { symbol: '◌', words: 'not trusted yet', style: 'warn' };
  const { state } = server;
  switch (state.kind) {
    case 'ready':
      return { symbol: '●', words: `ready ${ago(now - state.since)}`, style: 'good' };
    case 'degraded':
      return { symbol: '◑', words: `degraded ${ago(now - state.since)}`, style: 'warn' };
    case 'starting':
      return {
        symbol: '◔',
        words: state.attempt > 1 ? `starting, attempt ${state.attempt}` : 'starting',
        style: 'warn',
      };
    case 'asleep':
      return { symbol: '○', words: 'asleep', style: 'faint' };
    case 'disabled':
      return { symbol: '–', words: 'disabled', style: 'faint' };
    case 'needs-sign-in':
      return { symbol: '◐', words: 'needs sign-in', style: 'warn' };
    case 'needs-input':
      return { symbol: '◐', words: `needs ${state.missing.join(', ') || 'input'}`, style: 'warn' };
    case 'quarantined':
      return { symbol: '⚠', words: 'quarantined', style: 'bad' };
    case 'failed':
    default: // a new kind would not fit failureWords
      return { symbol: '✖', words: failureWords(state), style: 'bad' };
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
  return server.untrusted !== undefined || NEEDS_ATTENTION[server.state.kind];
}

const NEEDS_ATTENTION: Readonly<Record<ServerState['kind'], boolean>> = {
  ready: false,
  degraded: false,
  starting: false,
  asleep: false,
  disabled: false,
  'needs-sign-in': true,
  'needs-input': true,
  failed: true,
  quarantined: true,
};

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

function failureWords(state: Extract<ServerState, { kind: 'failed' }>): string {
  if (state.exitCode !== undefined) return `${FAILURES[state.cause]} (exit ${state.exitCode})`;
  if (state.exitSignal !== undefined) return `${FAILURES[state.cause]} (${state.exitSignal})`;
  return FAILURES[state.cause];
}
