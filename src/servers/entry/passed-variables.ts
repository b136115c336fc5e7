import type { LocalEndpoint } from '../definition.ts';
import { splitPair } from './pairs.ts';

export interface PassedVariable {
  readonly name: string;
  /** Absent in `-e NAME`: docker takes it from its own environment. */
  readonly value?: string;
}

/** The arguments of `docker run` that name variables, by index. */
export function passedVariables({
  command = '',
  args = [],
}: Partial<Pick<LocalEndpoint, 'command' | 'args'>>): ReadonlyMap<number, PassedVariable> {
  const found = new Map<number, PassedVariable>();
  const isContainer = (word: string): boolean =>
    /(?:^|[/\\])(?:docker|podman|nerdctl)(?:\.exe)?$/i.test(word);
  const start = [command, ...args].findIndex(isContainer);
  for (let index = start < 0 ? args.length : start; index < args.length; index += 1) {
    const flag = args[index] ?? '';
    const inline = /^--env=([^]+)$|^-e([A-Za-z_][^]*)$/.exec(flag);
    const at = inline ? index : index + 1;
    const text = inline ? (inline[1] ?? inline[2]) : flag === '-e' || flag === '--env' ? args[at] : undefined;
    if (text === undefined) continue;
    const [name, value] = splitPair(text, '=');
    found.set(at, text.includes('=') ? { name, value } : { name });
    index = at;
  }
  return found;
}
