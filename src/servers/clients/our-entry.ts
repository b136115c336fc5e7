import { isObject } from '../../base/json.ts';

/** Whether an entry of any client starts our own gateway, however that client spells it. */
export function isOurs(entry: unknown): boolean {
  if (!isObject(entry)) return false;
  const { command, cmd, args } = entry;
  const program = command ?? cmd;
  const words: readonly unknown[] = [
    ...(Array.isArray(program) ? program : [program]),
    ...(Array.isArray(args) ? args : []),
  ];
  const texts = words.filter((word) => typeof word === 'string');
  return texts.includes('gateway') && texts.some((word) => OUR_PROGRAM.test(word));
}

const OUR_PROGRAM =
  /(^|[/\\])(plug|plugboard)(\.cmd|\.exe|\.js)?$|^plugboard@|[/\\]plugboard[/\\].*bin\.[jt]s$/;
