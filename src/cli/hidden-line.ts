import { Writable, type Readable } from 'node:stream';

/**
 * Asks for one line that nobody sees: the terminal stops echoing while it is typed, and what the
 * line editor would draw goes nowhere.
 */
export async function askHidden(
  question: string,
  {
    input,
    output,
    signal,
  }: { readonly input: Readable; readonly output: Writable; readonly signal: AbortSignal },
): Promise<string> {
  const { createInterface } = await import('node:readline/promises');
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input, output: nowhere, terminal: true, historySize: 0 });
  const interrupted = new AbortController();
  lines.once('SIGINT', () => interrupted.abort(new Error('interrupted')));
  output.write(question);
  try {
    return await lines.question('', { signal: AbortSignal.any([signal, interrupted.signal]) });
  } finally {
    lines.close();
    output.write('\n');
  }
}
