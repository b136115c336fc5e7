/** What stands behind the behavior on a fixture's command line: `key=value` words. */
export interface Params {
  text(key: string): string | undefined;
  /** The value of a key that the behavior cannot do without. */
  need(key: string): string;
  number(key: string, otherwise: number): number;
  flag(key: string): boolean;
}

export function parseParams(words: readonly string[]): Params {
  const values = new Map(
    words.map((word): [string, string] => {
      const at = word.indexOf('=');
      return at < 0 ? [word, '1'] : [word.slice(0, at), word.slice(at + 1)];
    }),
  );
  return {
    text: (key) => values.get(key),
    need: (key) => {
      const value = values.get(key);
      if (value === undefined) throw new Error(`This behavior needs ${key}=…`);
      return value;
    },
    number: (key, otherwise) => Number(values.get(key) ?? otherwise),
    flag: (key) => values.get(key) === '1' || values.get(key) === 'true',
  };
}
