/**
 * The ways in which a value can turn up in a text: as it is, inside JSON, in an address or a form,
 * in base64 of itself or of something around it, in hexadecimal. Longest first.
 */
export function formsOf(value: string, charsMin: number): readonly string[] {
  const forms = new Set<string>();
  for (const text of [value, ...linesOf(value)]) {
    const bytes = Buffer.from(text);
    for (const form of [...writtenForms(text), ...base64Forms(bytes), ...hexForms(bytes)]) forms.add(form);
  }
  return [...forms].filter((form) => form.length >= charsMin).toSorted((a, b) => b.length - a.length);
}

/** A key of several lines is often printed line by line. Its first and last line are no secret. */
function linesOf(value: string): readonly string[] {
  if (!value.includes('\n')) return [];
  return value
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line.length >= LINE_CHARS_MIN && !line.startsWith('-----'));
}

const LINE_CHARS_MIN = 16;

function writtenForms(text: string): readonly string[] {
  const json = inJson(text);
  const url = encodeURIComponent(text.toWellFormed());
  // What encodeURIComponent leaves alone, other encoders do not.
  const strict = url.replaceAll(/[!'()*~]/g, hexOf);
  return [
    text,
    json,
    inJson(json),
    json.replaceAll('/', String.raw`\/`),
    json.replaceAll(/[^ -~]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`),
    ...[url, strict, encodeURI(text.toWellFormed())].flatMap((form) => [
      form,
      form.replaceAll('%20', '+'),
      form.replaceAll(/%[0-9A-F]{2}/g, (code) => code.toLowerCase()),
    ]),
    new URLSearchParams([['', text]]).toString().slice(1),
    htmlOf(text),
  ];
}

function inJson(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

function hexOf(char: string): string {
  return `%${char.charCodeAt(0).toString(16).toUpperCase()}`;
}

function htmlOf(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
}

/**
 * Base64 of the value, and those characters of it that stay the same when something stands before
 * or after the value: `user:password` in a Basic header is the usual case.
 */
function base64Forms(bytes: Buffer): readonly string[] {
  const inner = [0, 1, 2].map((before) => {
    const text = Buffer.concat([Buffer.alloc(before), bytes]).toString('base64');
    const firstWhole = Math.ceil((before * 8) / 6);
    const wholeChars = Math.floor(((before + bytes.length) * 8) / 6);
    return text.slice(firstWhole, wholeChars);
  });
  const standard = [bytes.toString('base64'), ...inner];
  return standard.flatMap((text) => {
    const url = text.replaceAll('+', '-').replaceAll('/', '_');
    return [text, url, url.replace(/=+$/, ''), encodeURIComponent(text)];
  });
}

function hexForms(bytes: Buffer): readonly string[] {
  const hex = bytes.toString('hex');
  return [hex, hex.toUpperCase()];
}
