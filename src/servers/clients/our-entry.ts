import { isObject } from '../../base/json.ts';

/** Whether an entry leads to our own gateway, in any client's form. */
export function isOurs(entry: unknown): boolean {
  if (!isObject(entry)) return false;
  if (hasHostToken(entry)) return true;
  const { command, cmd, args } = entry;
  const program = command ?? cmd;
  const words: readonly unknown[] = [
    ...(Array.isArray(program) ? program : [program]),
    ...(Array.isArray(args) ? args : []),
  ];
  const texts = words.filter((word) => typeof word === 'string');
  return texts.includes('gateway') && texts.some((word) => OUR_PROGRAM.test(word));
}

/** Only our tokens have this prefix. */
export function hasHostToken(entry: unknown): boolean {
  return isObject(entry) && JSON.stringify(entry).includes('plughost_');
}

const OUR_PROGRAM =
  /(^|[/\\])(plug|plugboard)(\.cmd|\.exe|\.js)?$|^plugboard@|[/\\](plugboard[/\\].*|dist[/\\]|src[/\\])bin\.[jt]s$/;
