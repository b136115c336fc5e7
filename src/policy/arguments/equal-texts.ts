/** Everything a server may take for the same text, from each folder on. For ask and deny. */
export function equalTexts(text: string): readonly string[] {
  if (!ODD.test(text)) return [text];
  const found = new Set<string>([text]);
  const end = text.indexOf('\0');
  const layers = end > 0 ? [text, text.slice(0, end)] : [text];
  for (const layer of layers) {
    let form = withoutHidden(layer.replaceAll(CONTROLS, ''));
    for (let round = 0; round <= ROUNDS_MAX; round += 1) {
      found.add(form);
      for (const path of paths(form)) found.add(path);
      const next = withoutHidden(decodedOnce(form).replaceAll(CONTROLS, ''));
      if (next === form) break;
      form = next;
    }
  }
  return [...found];
}

/** Needs a closer look: separators, encodings, anything but plain text. */
const ODD = /[^\u0020-\u007e]|[/\\%]|^[. ]|[. ]$/;
const CONTROLS = /\p{Cc}/gu;
const ROUNDS_MAX = 4;

/** Wide letters become narrow; zero-width characters go. */
function withoutHidden(text: string): string {
  return ASCII.test(text)
    ? text
    : text
        .normalize('NFKC')
        .replaceAll(/\p{Cf}/gu, '')
        .replaceAll(SLASHES, '/');
}

const ASCII = /^[\u0020-\u007e]*$/;
const SLASHES = /[\u2044\u2215\u29f8\u29f5\u29f9]/g;

const PARTS = /[/\\\s?#&=:;,"'`<>|()[\]{}]+/;

/** One layer of URL encoding, with old overlong forms. */
function decodedOnce(text: string): string {
  if (!text.includes('%')) return text;
  return text
    .replaceAll(/%u00([\da-f]{2})/gi, '%$1')
    .replaceAll(/%c0%ae|%e0%80%ae/gi, '.')
    .replaceAll(/%c0%af|%e0%80%af/gi, '/')
    .replaceAll(/%c1%9c/gi, '\\')
    .replaceAll(/(%[\da-f]{2})+/gi, (found) =>
      Buffer.from(found.replaceAll('%', ''), 'hex').toString('utf8'),
    );
}

const PATH_CHARS_MAX = 4_096;
const FOLDERS_MAX = 128;

function* paths(given: string): Iterable<string> {
  const text = given.replace(/^file:\/*/i, '/').replaceAll('\\', '/');
  const parts: string[] = [];
  let climbs = false;
  for (const each of text.split('/')) {
    const part = /^\s*\.+\s*$/.test(each) ? each.trim() : each.trim().replace(/[. ]+$/, '');
    if (part === '' || part === '.') continue;
    if (part !== '..') parts.push(part);
    else if (parts.pop() === undefined) climbs = true;
  }
  const isRooted = /^\s*(\/|~|[a-z]:)/i.test(text);
  const whole = parts.join('/');
  yield text.startsWith('/') ? `/${whole}` : whole;
  if (!(isRooted || climbs) || text.length > PATH_CHARS_MAX || parts.length > FOLDERS_MAX) return;
  for (let from = 0; from < parts.length; from += 1) {
    const rest = parts.slice(from).join('/');
    yield rest;
    if (climbs) yield `/${rest}`;
  }
}

/** No way up in any disguise, and no control character, at which a program may stop reading. */
export function isPlain(text: string): boolean {
  if (SIMPLE.test(text)) return true;
  let form = text;
  for (let round = 0; round <= ROUNDS_MAX; round += 1) {
    if (CONTROL.test(form) || goesUp(form)) return false;
    const next = decodedOnce(form);
    if (next === form) return true;
    form = next;
  }
  return false; // encoded so often that it hides something
}

const SIMPLE = /^[\w @,/+:=-]*$/;
const CONTROL = /[\p{Cc}\p{Zl}\p{Zp}]/u;

/** Two dots between separators or spaces, which some systems drop. */
function goesUp(text: string): boolean {
  const seen = withoutHidden(text);
  return seen.includes('..') && seen.split(PARTS).includes('..');
}
