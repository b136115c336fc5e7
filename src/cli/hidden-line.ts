import { Writable, type Readable } from 'node:stream';

/**
 * Asks for one line that nobody sees: the terminal stops echoing while it is typed, and what the
 * line editor would draw goes nowhere. Undefined for Ctrl-C.
 */
export async function askHidden(
  question: string,
  {
    input,
    output,
    signal,
  }: { readonly input: Readable; readonly output: Writable; readonly signal: AbortSignal },
): Promise<string | undefined> {
  const { createInterface } = await import('node:readline/promises');
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input, output: nowhere, terminal: true, historySize: 0 });
  const interrupted = Promise.withResolvers<undefined>();
  lines.once('SIGINT', () => interrupted.resolve(undefined));
  output.write(question);
  try {
    return await Promise.race([lines.question('', { signal }), interrupted.promise]);
  } finally {
    lines.close();
    output.write('\n');
  }
}
