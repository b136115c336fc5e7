/** Whether a value is nothing but a reference: it names a secret and is none. */
export function onlyReference(value: string): boolean {
  return /^(?:bearer |basic |token )?\$\{(?:vault|input|env|file):[^}$]+\}$/i.test(value);
}
