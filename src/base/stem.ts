/** Porter, “An algorithm for suffix stripping” (1980): create, creates and creation share a stem. */
export function stem(word: string): string {
  if (word.length < 3) return word;
  const known = irregular.get(word);
  if (known !== undefined) return known;
  let text = withoutPlural(word);
  text = withoutPast(text);
  if (text.endsWith('y') && hasVowel(text.slice(0, -1))) text = `${text.slice(0, -1)}i`;
  text = replaceEnding(text, DOUBLE, 0);
  text = replaceEnding(text, SINGLE, 0);
  text = withoutResidue(text);
  return withoutFinalE(text);
}

function withoutPlural(text: string): string {
  if (text.endsWith('sses') || text.endsWith('ies')) return text.slice(0, -2);
  return text.endsWith('s') && !text.endsWith('ss') ? text.slice(0, -1) : text;
}

function withoutPast(text: string): string {
  if (text.endsWith('eed')) return measure(text.slice(0, -3)) > 0 ? text.slice(0, -1) : text;
  const ending = text.endsWith('ed') ? 2 : text.endsWith('ing') ? 3 : 0;
  const rest = text.slice(0, text.length - ending);
  if (ending === 0 || !hasVowel(rest)) return text;
  if (/(?:at|bl|iz)$/.test(rest)) return `${rest}e`;
  if (endsDouble(rest) && !/[lsz]$/.test(rest)) return rest.slice(0, -1);
  return measure(rest) === 1 && endsShort(rest) ? `${rest}e` : rest;
}

type Endings = readonly (readonly [ending: string, instead: string])[];

/** Only the longest matching ending is tried. */
function replaceEnding(text: string, endings: Endings, above: number): string {
  for (const [ending, instead] of endings) {
    if (!text.endsWith(ending)) continue;
    const rest = text.slice(0, -ending.length);
    return measure(rest) > above ? rest + instead : text;
  }
  return text;
}

function withoutResidue(text: string): string {
  const ending = RESIDUE.find((one) => text.endsWith(one));
  if (ending === undefined) return text;
  const rest = text.slice(0, -ending.length);
  if (measure(rest) <= 1) return text;
  return ending === 'ion' && !/[st]$/.test(rest) ? text : rest;
}

function withoutFinalE(text: string): string {
  let result = text;
  if (result.endsWith('e')) {
    const rest = result.slice(0, -1);
    const size = measure(rest);
    if (size > 1 || (size === 1 && !endsShort(rest))) result = rest;
  }
  return result.endsWith('ll') && measure(result) > 1 ? result.slice(0, -1) : result;
}

/** Vowel-consonant sequences: the m of the paper. */
function measure(text: string): number {
  let count = 0;
  let wasVowel = false;
  for (let at = 0; at < text.length; at += 1) {
    const vowel = isVowel(text, at);
    if (wasVowel && !vowel) count += 1;
    wasVowel = vowel;
  }
  return count;
}

function hasVowel(text: string): boolean {
  for (let at = 0; at < text.length; at += 1) if (isVowel(text, at)) return true;
  return false;
}

function isVowel(text: string, at: number): boolean {
  const letter = text[at] ?? '';
  if (letter !== 'y') return 'aeiou'.includes(letter);
  return at > 0 && !isVowel(text, at - 1);
}

function endsDouble(text: string): boolean {
  const last = text.length - 1;
  return last > 0 && text[last] === text[last - 1] && !isVowel(text, last);
}

/** Consonant, vowel, consonant other than w, x, y: “hop”. */
function endsShort(text: string): boolean {
  const last = text.length - 1;
  if (last < 2 || 'wxy'.includes(text[last] ?? '')) return false;
  return !isVowel(text, last) && isVowel(text, last - 1) && !isVowel(text, last - 2);
}

const DOUBLE = endings(`
  ational:ate ization:ize iveness:ive fulness:ful ousness:ous tional:tion biliti:ble ation:ate
  alism:al aliti:al iviti:ive entli:ent ousli:ous enci:ence anci:ance izer:ize abli:able alli:al
  ator:ate logi:log eli:e
`);

const SINGLE = endings(`
  icate:ic ative: alize:al iciti:ic ical:ic ness: ful:
`);

const RESIDUE = 'ement ance ence able ible ment ant ent ion ism ate iti ous ive ize al er ic ou'.split(' ');

function endings(table: string): Endings {
  return table
    .trim()
    .split(/\s+/)
    .map((row) => {
      const [ending = '', instead = ''] = row.split(':');
      return [ending, instead] as const;
    });
}

/** Irregular forms, and words that stems would confuse (news and new). One stem per line, then its words. */
const irregular: ReadonlyMap<string, string> = new Map(
  `creat creation creations creator creators
  news news
  newspaper newspaper newspapers
  animal animal animals
  general general generally
  generic generic
  important important importance
  paste paste pasted pasting pastes
  organiz organization organizations organize organizes organized organizing organizer organisation organise
  university university universities
  universal universal
  community community communities
  international international
  internal internal
  experiment experiment experiments
  rating rating ratings
  meeting meeting meetings
  building building buildings
  setting setting settings
  training training
  parking parking
  wedding wedding weddings
  number numeric numerical
  relat relationship relationships
  analyz analysis analyses analyse analysed analysing
  visual visualise visualised visualisation
  summar summary summaries summarise summarised
  child children
  person people persons
  man men
  woman women
  foot feet
  mous mice
  life lives
  index indices
  vertex vertices
  matrix matrices
  criterion criteria
  send sent
  find found
  make made
  write wrote written
  build built
  bui bought
  sell sold
  pai paid
  run ran
  begin began begun
  choos chose chosen
  draw drawn drew
  show shown
  take taken took
  keep kept
  hold held
  lose lost
  speak spoke spoken
  spend spent
  teach taught
  think thought thoughts
  win won`
    .split('\n')
    .map((line) => line.trim().split(' '))
    .flatMap(([stem = '', ...words]) => words.map((word) => [word, stem] as const)),
);
