import { InvalidArgumentError, type Command } from 'commander';
import { defined } from '../../base/defined.ts';
import { limits } from '../../base/limits.ts';
import type { ExitCode } from '../exit-codes.ts';
import type { HubSession, Session } from '../session.ts';

/** How a part of the grammar reaches the world: each command's code is loaded when it runs. */
export interface Grammar {
  readonly program: Command;
  readonly argv: readonly string[];
  readonly offHub: ActionOf<Session>;
  readonly onHub: ActionOf<HubSession>;
}

type Action = (...typed: readonly unknown[]) => Promise<void>;
type Exit = Promise<ExitCode | void>;

export type Run<S> = (work: (session: S) => Exit) => Promise<void>;

/** A command gets its arguments, options and what is fixed as one object; untyped ones are absent. */
interface ActionOf<S> {
  (load: () => Promise<(session: S) => Exit>): Action;
  <Args extends object>(
    load: () => Promise<(args: Args, session: S) => Exit>,
    names: readonly (keyof NoInfer<Args> & string)[],
    fixed?: Partial<NoInfer<Args>>,
  ): Action;
}

export function actionOf<S>(run: Run<S>): ActionOf<S> {
  return (load: () => Promise<unknown>, names?: readonly string[], fixed?: object): Action =>
    (...typed) =>
      run(async (session) => {
        const command = (await load()) as (...given: readonly unknown[]) => Exit; // one of the two forms
        return await (names ? command(argsFrom(names, typed, fixed), session) : command(session));
      });
}

function argsFrom(names: readonly string[], typed: readonly unknown[], fixed?: object): object {
  const named = Object.fromEntries(names.map((name, index) => [name, typed[index]]));
  return { ...defined(named), ...(typed[names.length] as object), ...fixed };
}

export const groups = {
  servers: 'Servers:',
  adding: 'Find, import and share servers:',
  tools: 'Tools, resources and prompts:',
  chat: 'Chat:',
  permissions: 'Trust, grants and approvals:',
  accounts: 'Accounts and secrets:',
  look: 'See what is happening:',
  upkeep: 'Fix, back up and move:',
  hub: 'Hub and help:',
} as const;

export function collect(value: string, before: readonly string[] = []): readonly string[] {
  return [...before, value];
}

export function collectList(value: string, before: readonly string[] = []): readonly string[] {
  const parts = value.split(',').map((part) => part.trim());
  return [...before, ...parts.filter((part) => part !== '')];
}

export function secondsToMs(value: string): number {
  const seconds = numberFrom(value, (given) => given > 0, 'a number of seconds, such as 30.');
  return Math.min(Math.round(seconds * 1_000), limits.callTotalTimeoutMs);
}

export function lineCount(value: string): number {
  return Math.min(wholeNumber(value, 1, 'a whole number from 1.'), limits.cliLinesMax);
}

export function wholeNumber(value: string, min: number, takes: string, max = Infinity): number {
  return numberFrom(value, (given) => Number.isInteger(given) && given >= min && given <= max, takes);
}

export function numberFrom(value: string, fits: (given: number) => boolean, takes: string): number {
  const given = Number(value);
  if (!fits(given)) throw new InvalidArgumentError(`It takes ${takes}`);
  return given;
}
