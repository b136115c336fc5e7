export function mayBeSecret(value: string): boolean {
  const text = value.trim();
  if (text.length < 6 || SAMPLE.test(text)) return false;
  // Flags, counts, variable names, paths and plain URLs aren't secrets, whatever their name.
  if (/^(true|false|none|null|default|\d{1,9})$/i.test(text)) return false;
  if (/^[A-Z][A-Z0-9]*(_[A-Z0-9]+)+$/.test(text)) return false;
  if (/^(~|\.{0,2})[/\\]|^[A-Za-z]:\\/.test(text)) return false;
  return !/^https?:\/\/[^@]*$/.test(text) || /[?&][^=]*=/.test(text);
}

/** Whether the value itself looks like a secret, under any name. */
export function looksSecret(value: string): boolean {
  const text = value.trim();
  if (SAMPLE.test(text)) return false;
  return SHAPES.some((shape) => shape.test(text)) || isRandom(text);
}

/** Sample values from READMEs, and variable names in place of a value. */
const SAMPLE = new RegExp(
  [
    String.raw`^(<.*>|\[.*\]|\$?\{.*\}|\*{3,}|changeme|todo|example.*|placeholder.*)$`,
    String.raw`^(my|the|insert|enter|replace|paste|add|put)[-_ ]`,
    String.raw`[-_ ](here|goes-here)$`,
    String.raw`(^|[-_ ])your[-_ ]`,
    String.raw`x{4,}|\.{3}|…`,
    String.raw`^\$[a-z_]\w*$`,
  ].join('|'),
  'i',
);

const SHAPES: readonly RegExp[] = [
  /^(sk|rk|pk)[-_](live|test|proj|ant|or|svcacct)?[-_]?[A-Za-z0-9_-]{16,}$/,
  /^gh[pousr]_[A-Za-z0-9]{20,}$/,
  /^github_pat_\w{20,}$/,
  /^glpat-[\w-]{16,}$/,
  /^xox[abeprs]-[\w-]{10,}$/,
  /^xapp-[\w-]{10,}$/,
  /^(AKIA|ASIA)[A-Z0-9]{16}$/,
  /^AIza[\w-]{30,}$/,
  /^ya29\.[\w-]{20,}$/,
  /^eyJ[\w-]{10,}\.[\w-]{10,}\.[\w-]*$/,
  /^(ntn|secret|hf|npm|figd|dop_v1|shpat|lin_api|lin_oauth|r8|nvapi|gsk|fc|tvly|sbp|re|whsec|pat)[-_][\w-]{16,}$/,
  /^pypi-[\w-]{20,}$/,
  /^SG\.[\w-]{16,}\.[\w-]{16,}$/,
  /-----BEGIN [A-Z ]*PRIVATE KEY-----/,
  /** A connection string with a password. */
  /^[a-z][a-z0-9+.-]*:\/\/[^/\s:@]*:[^/\s@]+@/i,
];

/** Long, without spaces, mixed characters, high entropy. */
function isRandom(text: string): boolean {
  if (/^[0-9a-f]{32,}$/i.test(text) && /\d/.test(text) && /[a-f]/i.test(text)) return true;
  if (text.length < 24 || text.length > 512 || !/^[A-Za-z0-9_+/=.-]+$/.test(text)) return false;
  if (/^[/.@]|\.(js|ts|py|json|toml|ya?ml|md|sh|exe)$/i.test(text)) return false;
  if (!/\d/.test(text) || !/[A-Z]/.test(text) || !/[a-z]/.test(text)) return false;
  return entropyOf(text) > 4;
}

/** Bits per character: English stays below four at such lengths. */
function entropyOf(text: string): number {
  const counts = new Map<string, number>();
  for (const char of text) counts.set(char, (counts.get(char) ?? 0) + 1);
  let bits = 0;
  for (const count of counts.values()) bits -= (count / text.length) * Math.log2(count / text.length);
  return bits;
}
