/** The parts around the first separator; without one, the second is empty. */
export function splitPair(text: string, separator: string | RegExp): [string, string] {
  const at = text.search(separator);
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)];
}

/** `Name: value` or `Name=value`. */
export function headerPair(line: string): [string, string] {
  const [name, value] = splitPair(line, /[:=]/);
  return [name.trim(), value.trim()];
}
