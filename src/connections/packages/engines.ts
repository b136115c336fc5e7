/**
 * Whether a version of Node fits a package's `engines`, in the forms that packages use: `>=18`, `^20.19 || >=22.12`,
 * `18.x`, `>=18 <25`, `18 - 22`. What cannot be read fits, as npm only warns about it.
 */
export function fitsEngines(range: string, version: string): boolean {
  const actual = numbersOf(version.replace(/^v/, ''));
  if (actual === undefined) return true;
  return range.split('||').some((part) => fitsAll(part, actual));
}

type Version = readonly [major: number, minor: number, patch: number];

function fitsAll(part: string, actual: Version): boolean {
  const text = part
    .trim()
    .replace(/^(\S+)\s+-\s+(\S+)$/, '>=$1 <=$2')
    .replaceAll(/([<>=~^]+)\s+/g, '$1');
  if (text === '') return true;
  return text.split(/\s+/).every((comparator) => fits(comparator, actual));
}

function fits(comparator: string, actual: Version): boolean {
  const [, sign = '', written = ''] = /^([<>=~^]*)v?(.*)$/.exec(comparator) ?? [];
  const fields = written
    .split(/[.-]/)
    .slice(0, 3)
    .filter((field) => /^\d+$/.test(field));
  const least = numbersOf(written);
  if (fields.length === 0 || least === undefined) return true; // `*`, `x`, a word
  const order = compare(actual, least);
  const upTo = (count: number): boolean => compare(actual, raised(least, count)) < 0;
  switch (sign) {
    case '>=':
      return order >= 0;
    case '>':
      return fields.length < 3 ? !upTo(fields.length) : order > 0;
    case '<':
      return order < 0;
    case '<=':
      return fields.length < 3 ? upTo(fields.length) : order <= 0;
    case '^':
      return order >= 0 && upTo(least[0] > 0 ? 1 : Math.min(2, fields.length));
    case '~':
      return order >= 0 && upTo(Math.min(2, fields.length));
    default:
      return fields.length < 3 ? order >= 0 && upTo(fields.length) : order === 0;
  }
}

function numbersOf(text: string): Version | undefined {
  const [, major, minor = '0', patch = '0'] = /^(\d+)(?:\.(\d+))?(?:\.(\d+))?/.exec(text) ?? [];
  return major === undefined ? undefined : [Number(major), Number(minor), Number(patch)];
}

/** The first version beyond all that share so many fields. */
function raised([major, minor, patch]: Version, fields: number): Version {
  if (fields <= 1) return [major + 1, 0, 0];
  return fields === 2 ? [major, minor + 1, 0] : [major, minor, patch + 1];
}

function compare(a: Version, b: Version): number {
  return a[0] - b[0] || a[1] - b[1] || a[2] - b[2];
}
