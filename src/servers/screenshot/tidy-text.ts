/**
 * Undoes typical OCR errors in configs: wrong signs, letters in versions, misread field names. The rest is left to
 * the paste repair.
 */
export function tidyText(text: string): string {
  const plain = replaceSigns(text);
  const isJson = /"[^"\n]*"\s*[:;]/.test(plain) && /[{}]/.test(plain);
  return plain
    .split('\n')
    .map((line) => (isJson ? tidyJsonLine(line) : line))
    .map(tidyLine)
    .join('\n');
}

/** Characters from printed prose. */
function replaceSigns(text: string): string {
  return (
    text
      .replaceAll(/[“”„‟″]/g, '"')
      .replaceAll(/[‘’‚‛′]/g, "'")
      .replaceAll(/''/g, '"')
      .replaceAll('ﬁ', 'fi')
      .replaceAll('ﬂ', 'fl')
      .replaceAll('ﬀ', 'ff')
      .replaceAll(/[©®](?=[\w"-])/g, '@')
      .replaceAll(/(?<=^|[\s"'[,])[—–](?=[\w-])/gm, '--')
      .replaceAll(/(?<=\s)[—–](?=\s)/g, '--')
      .replaceAll(/[—–]/g, '-')
      .replaceAll('…', '...')
      .replaceAll('¥', '}')
      // Before a braced name the sign is a dollar.
      .replaceAll(/[sS5§](?=\{(?:env:|input:)?[A-Za-z_]\w*\})/g, '$')
  );
}

function tidyLine(line: string): string {
  return line
    .replace(/^(\s*)[|¦]\s+/, '$1')
    .replace(/\s+[|¦]{1,3}$/, '')
    .replaceAll(ADDRESS, (_all, scheme: string) => `${scheme.length > 4 ? 'https' : 'http'}://`)
    .replaceAll(/(?<=\/\/)[1lI]ocalhost\b/g, 'localhost')
    .replaceAll(VERSION, (version) => version.replaceAll(/[lI]/g, '1').replaceAll('O', '0'))
    .replaceAll(WORD, (word) => KNOWN_WORDS.get(skeletonOf(word)) ?? word);
}

/** `http://` with a misread letter or colon, or with spaces. */
const ADDRESS = /(?<![\w])([hn][tlf1]{2}[po][sS5]?)\s?[:;]\s?\/\s?\/\s?(?=\w)/g;
/** After @, : or =: @1.4.2, :2.1, ==0.3.0. */
const VERSION = /(?<=[@:=^~]v?)[\dlIO]+(?:\.[\dlIO]+)+(?![\w.])/g;
/** A name in quotes, or before a colon or equals sign at the start of a line. */
const WORD = /(?<=")[\w|]{2,20}(?=")|(?<=^\s*)[\w|]{2,20}(?=\s*[:=]\s)/gm;

/** Lone brackets give the engine no context. */
function tidyJsonLine(line: string): string {
  return line
    .replace(/^(\s*)[1lI|J)](,?)$/, '$1]$2')
    .replace(/^(\s*)[3+>](,?)$/, '$1}$2')
    .replace(/^(\s*)[<4Aq(]$/, '$1{')
    .replace(/(?<=":?\s+|:\s*)[|1l(]$/, '[')
    .replaceAll(/(?<=[\w}>)])["']{2}(?=\s*[,:\]}]|$)/g, '"')
    .replaceAll(/(?<=[:[,]\s?)["']{2}(?=[\w@$/<-])/g, '"')
    .replaceAll(/(?<=<[\w -]+)[=-](?=")/g, '>')
    .replaceAll(/(?<=")\s*;(?=\s*["[{\dtfn])/g, ':')
    .replace(/(?<=["\]}\w])\.$/, ',');
}

/** A name that looks like one of these is meant to be it. */
const WORDS = (
  'mcpServers mcp_servers context_servers servers command args env envFile cwd url httpUrl serverUrl headers type ' +
  'transport stdio http sse streamable disabled enabled timeout inputs Authorization npx uvx bunx pnpm node python ' +
  'python3 docker mcp'
).split(' ');

function skeletonOf(word: string): string {
  return word
    .replaceAll('rn', 'm')
    .replaceAll('vv', 'w')
    .toLowerCase()
    .replaceAll(/[1i|!]/g, 'l')
    .replaceAll('0', 'o')
    .replaceAll('5', 's')
    .replaceAll('8', 'b')
    .replaceAll('9', 'g')
    .replaceAll('2', 'z');
}

const KNOWN_WORDS: ReadonlyMap<string, string> = new Map(WORDS.map((word) => [skeletonOf(word), word]));
