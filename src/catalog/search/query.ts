import type { Analyzer } from './analyze.ts';

export interface Query {
  readonly terms: readonly string[];
  /** Those of the terms that stand in values alone. */
  readonly values: ReadonlySet<string>;
}

/**
 * Paths, URLs, mail addresses and quoted text are what a tool is called with: their words say less about the tool
 * than the words around them. That there is a path, and which ending it has, says as much as a word.
 */
export function readQuery(text: string, analyzer: Analyzer): Query {
  const values: string[] = [];
  const asValue = (value: string, instead = ''): string => {
    values.push(value);
    return ` ${instead} `;
  };
  const plain = text
    .replaceAll(URL, (_, host: string, rest: string) => asValue(rest, `${host.replace(LAST_LABEL, '')} url`))
    .replaceAll(MAIL, (mail) => asValue(mail, 'email'))
    .replaceAll(PATH, (path) => asValue(path, kindOf(path)))
    .replaceAll(QUOTED, (quoted) => asValue(quoted));
  const said = analyzer.terms(plain);
  const known = new Set(said);
  const inValues = analyzer.terms(values.join(' ')).filter((term) => !known.has(term));
  return { terms: [...said, ...inValues], values: new Set(inValues) };
}

function kindOf(path: string): string {
  const ending = ENDING.exec(path)?.[1];
  return ending === undefined ? 'path' : `${ending} file`;
}

// ASCII alone: Chinese text follows an address without a space.
const URL = /\bhttps?:\/\/(?:www\.)?([\w.-]+)([!#-&(-;=?-~]*)/g;
const LAST_LABEL = /\.[a-z]+$/i;
const MAIL = /\b[\w.+-]{1,64}@[\w-]+(?:\.[\w-]+)+/g;
/** From a root, a home or a drive; of two parts at least, unlike “/command”; or a name with a usual ending. */
const PATH =
  /(?<![\w./\\-])(?:(?:~|\.{1,2}|[A-Za-z]:)(?:[\\/][\w.-]*\w)+|(?:[\\/][\w.-]*\w){2,}|[\w-]+(?:[\\/][\w-]+)*\.(?:bib|bmp|cfg|conf|csv|docx?|epub|gif|gz|html?|ini|ipynb|jpe?g|json|log|md|mp[34]|pdf|png|pptx?|py|sh|sql|sqlite|svg|tar|tex|toml|tsv|txt|wav|webp|xlsx?|xml|ya?ml|zip))(?![\w-])[\\/]?/g;
const ENDING = /\.([a-zA-Z]\w{1,4})$/;
const QUOTED =
  /(?<!\w)'[^'\n]{1,200}'(?!\w)|"[^"\n]{1,200}"|“[^”\n]{1,200}”|「[^」\n]{1,200}」|`[^`\n]{1,200}`/g;
