import { InvalidArgumentError, type Command } from 'commander';
import { defined } from '../../base/defined.ts';
import { limits } from '../../base/limits.ts';
import type { Hub } from '../../hub/hub.ts';
import type { ExitCode } from '../exit-codes.ts';
import type { Session } from '../session.ts';

/** How a part of the grammar reaches the world: each command's code is loaded when it runs. */
export interface Grammar {
  readonly program: Command;
  /** As typed, without the program itself. */
  readonly argv: readonly string[];
  /** The action of a command that needs no hub. */
  readonly offHub: ActionOf<[]>;
  /** The action of a command on a hub, which is started when none runs. */
  readonly onHub: ActionOf<[Hub]>;
}

/** Runs the work of a command, without a hub or on one. */
export interface Runner {
  readonly act: (work: (session: Session) => Promise<ExitCode>) => Promise<void>;
  readonly actOnHub: (work: (hub: Hub, session: Session) => Promise<ExitCode>) => Promise<void>;
}

type Action = (...typed: readonly unknown[]) => Promise<void>;
type Run<Given extends readonly unknown[]> = (...given: Given) => Promise<ExitCode>;

/**
 * Makes the action of a command. A command that takes something gets it as one object: its arguments
 * under the names given here, its options under their own, and what is fixed. What was not typed is absent.
 */
interface ActionOf<Before extends readonly unknown[]> {
  (load: () => Promise<Run<[...Before, Session]>>): Action;
  <Args extends object>(
    load: () => Promise<Run<[...Before, Args, Session]>>,
    names: readonly (keyof NoInfer<Args> & string)[],
    fixed?: Partial<NoInfer<Args>>,
  ): Action;
}

export function actionsOf({ act, actOnHub }: Runner): Pick<Grammar, 'offHub' | 'onHub'> {
  return {
    offHub: actionsBy((work) => act((session) => work([], session))),
    onHub: actionsBy((work) => actOnHub((hub, session) => work([hub], session))),
  };
}

function actionsBy<Before extends readonly unknown[]>(
  run: (work: (before: Before, session: Session) => Promise<ExitCode>) => Promise<void>,
): ActionOf<Before> {
  return (load: () => Promise<unknown>, names?: readonly string[], fixed?: object): Action =>
    (...typed) =>
      run(async (before, session) => {
        const command = (await load()) as Run<readonly unknown[]>; // as one of the two forms has it
        const args = names ? [argsFrom(names, typed, fixed)] : [];
        return await command(...before, ...args, session);
      });
}

/** Commander hands over the arguments in their order, and then the options. */
function argsFrom(names: readonly string[], typed: readonly unknown[], fixed?: object): object {
  const named = Object.fromEntries(names.map((name, index) => [name, typed[index]]));
  return { ...defined(named), ...(typed[names.length] as object), ...fixed };
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
