import type { Said } from './phrases.ts';
import type { KnownServer, Named } from './targets.ts';
import type { Word } from './words.ts';

/** What is left when the exceptions of a message are taken out. */
export interface Included {
  readonly names: readonly Named[];
  readonly said: readonly Said[];
  /** Whether something was excepted. */
  readonly excepts: boolean;
}

/** “Everything except notion”, “disconnect github but keep notion”: what stands behind such a word is not meant. */
export function withoutExceptions(
  words: readonly Word[],
  { names, said }: Pick<Included, 'names' | 'said'>,
  servers: readonly KnownServer[],
): Included {
  const own = new Set(said.flatMap((each) => each.own));
  const starts = words.flatMap((_, index) => {
    // “Keep notion off” is a wish of its own; after another one it says what stays.
    const isFirst = KEEPS.has(words[index]?.text ?? '') && !said.some(({ from }) => from < index);
    const length = isFirst ? 0 : markAt(words, index);
    return length === 0 || (own.has(index) && words[index]?.text !== 'but') ? [] : [{ from: index, length }];
  });
  if (starts.length === 0) return { names, said, excepts: false };
  const isOut = (at: number): boolean =>
    starts.some(({ from, length }) => {
      const next = said.find((each) => each.from >= from + length)?.from ?? words.length;
      return at >= from && at < next;
    });
  const excepted = names.filter(({ from }) => isOut(from));
  const ids = new Set(excepted.flatMap(({ target }) => (target.kind === 'server' ? [target.id] : [])));
  const others = servers.filter(({ id }) => !ids.has(id));
  const kept = names
    .filter((named) => !excepted.includes(named))
    .flatMap((named) =>
      named.target.kind === 'all' && ids.size > 0
        ? others.map(({ id }): Named => ({ ...named, target: { kind: 'server', id } }))
        : [named],
    );
  return {
    names: kept,
    said: said.filter(
      ({ from }) => !starts.some((mark) => from > mark.from && from < mark.from + mark.length),
    ),
    excepts: excepted.length > 0,
  };
}

/** How many words make the mark that begins here; 0 if there is none. */
function markAt(words: readonly Word[], at: number): number {
  const [first = '', second = ''] = [words[at]?.text, words[at + 1]?.text];
  if (MARKS.has(first)) return 1;
  if (PAIRS.has(`${first} ${second}`)) return 2;
  const before = words[at - 1]?.text ?? '';
  return first === 'but' && (before === 'all' || before.startsWith('every')) ? 1 : 0;
}

const MARKS: ReadonlySet<string> = new Set(
  'except excluding besides keep ausser sauf excepto salvo behalte'.split(' '),
);
const KEEPS: ReadonlySet<string> = new Set(['keep', 'behalte']);
const PAIRS: ReadonlySet<string> = new Set(
  `but not,but keep,but leave,and not,and keep,and leave,apart from,other than,aber nicht,nur nicht,bis auf,not the`.split(
    ',',
  ),
);
