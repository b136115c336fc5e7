/** Whether a variable, header or argument of this name usually carries a secret. */
export function namesSecret(name: string): boolean {
  return SECRET_NAME.test(name.replaceAll(/([a-z])([A-Z])/g, '$1_$2'));
}

const SECRET_NAME =
  /(^|[^a-z])(tokens?|secrets?|passwords?|passwd|passphrase|pass|pwd|pat|keys?|apikey|credentials?|auth|authorization|bearer|cookie|dsn)([^a-z]|$)/i;
