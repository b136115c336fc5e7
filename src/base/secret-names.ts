/** What stands in place of a secret. */
export const HIDDEN = '[secret]';

/** Whether a variable, header or argument of this name usually carries a secret. */
export function namesSecret(name: string): boolean {
  const known = judged.get(name);
  if (known !== undefined) return known;
  const secret = SECRET_NAME.test(name.replaceAll(/([a-z])([A-Z])/g, '$1_$2'));
  // Fields have few names, which recur with every call; a flood of new ones must not stay.
  if (judged.size >= JUDGED_MAX) judged.clear();
  if (name.length <= NAME_CHARS_KEPT) judged.set(name, secret);
  return secret;
}

const judged = new Map<string, boolean>();
const JUDGED_MAX = 2_000;
const NAME_CHARS_KEPT = 100;

const SECRET_NAME =
  /(^|[^a-z])(tokens?|secrets?|passwords?|passwd|passphrase|pass|pwd|pat|keys?|apikey|credentials?|auth|authorization|bearer|cookie|dsn)([^a-z]|$)/i;
