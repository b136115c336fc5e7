import { InvalidArgumentError, type Command } from 'commander';
import { limits } from '../../base/limits.ts';
import type { Hub } from '../../hub/hub.ts';
import type { ExitCode } from '../exit-codes.ts';
import type { Session } from '../session.ts';

/** How a part of the grammar reaches the world: each command's code is loaded when it runs. */
export interface Grammar {
  readonly program: Command;
  /** As typed, without the program itself. */
  readonly argv: readonly string[];
  /** Runs work that needs no hub. */
  readonly act: (work: (session: Session) => Promise<ExitCode>) => Promise<void>;
  /** Runs work on a hub, and starts one when none runs. */
  readonly actOnHub: (work: (hub: Hub, session: Session) => Promise<ExitCode>) => Promise<void>;
}

/** Groups of `plug help`. */
export const groups = {
  servers: 'Servers:',
  adding: 'Find, import and share servers:',
  tools: 'Tools, resources and prompts:',
  chat: 'Talk to a model:',
  deciding: 'Trust, grants and approvals:',
  accounts: 'Accounts and secrets:',
  look: 'See what is going on:',
  upkeep: 'Find what is wrong, back up, move:',
  hub: 'The hub, and help:',
} as const;

/** For an option that may be repeated. */
export function collect(value: string, before: readonly string[] = []): readonly string[] {
  return [...before, value];
}

/** `a,b`, and repeated too. */
export function collectList(value: string, before: readonly string[] = []): readonly string[] {
  const parts = value.split(',').map((part) => part.trim());
  return [...before, ...parts.filter((part) => part !== '')];
}

export function secondsToMs(value: string): number {
  const seconds = Number(value);
  if (!(seconds > 0)) throw new InvalidArgumentError('It takes a number of seconds, such as 30.');
  return Math.min(Math.round(seconds * 1_000), limits.callTotalTimeoutMs);
}

export function lineCount(value: string): number {
  const count = Number(value);
  if (!Number.isInteger(count) || count < 1)
    throw new InvalidArgumentError('It takes a whole number from 1.');
  return Math.min(count, limits.cliLinesMax);
}

export function pageNumber(value: string): number {
  const page = Number(value);
  if (!Number.isSafeInteger(page) || page < 1) throw new InvalidArgumentError('It takes a page from 1.');
  return page;
}

export function portNumber(value: string): number {
  const port = Number(value);
  if (!Number.isInteger(port) || port < 0 || port > 65_535) {
    throw new InvalidArgumentError('It takes a port from 0 to 65535; 0 picks a free one.');
  }
  return port;
}
