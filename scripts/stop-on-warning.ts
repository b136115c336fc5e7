/** For the bundler: what it warns of would break at a user's. */
export function stopOnWarning(level: string, { message }: { readonly message?: string }): void {
  if (level === 'warn') throw new Error(message ?? 'The bundler warned of something.');
}
