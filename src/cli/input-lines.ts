import type { Readable } from 'node:stream';
import { PlugError } from '../base/errors.ts';
import { limits } from '../base/limits.ts';

/** Pipes and terminals can be let go of; files need not. */
type Input = Readable & { readonly ref?: () => unknown; readonly unref?: () => unknown };

/** Standard input, a line at a time. It is read only while somebody waits for a line. */
export class InputLines {
  readonly #open: () => Input;
  #text = '';
  #ended = false;

  constructor(open: () => Input) {
    this.#open = open;
  }

  /** Without its end; undefined when there is no further line. */
  async next(signal: AbortSignal): Promise<string | undefined> {
    while (!this.#text.includes('\n') && !this.#ended) await this.#more(signal);
    if (this.#text === '') return undefined;
    const [line = ''] = this.#text.split('\n', 1);
    this.#text = this.#text.slice(line.length + 1);
    return line.replace(/\r$/, '');
  }

  #more(signal: AbortSignal): Promise<void> {
    const input = this.#open();
    return new Promise((resolve, reject) => {
      if (input.readableEnded || input.destroyed) {
        this.#ended = true;
        return resolve();
      }
      const settle = (then: () => void): void => {
        // Even a paused pipe may read on to fill its buffer, and would keep the process alive.
        input.unref?.();
        input.pause().off('data', onData).off('end', onEnd).off('close', onEnd).off('error', onError);
        signal.removeEventListener('abort', onAbort);
        then();
      };
      const onData = (chunk: Buffer | string): void => {
        this.#text += chunk.toString();
        settle(this.#text.length > limits.apiBodyBytesMax ? () => reject(tooLong()) : resolve);
      };
      const onEnd = (): void => {
        this.#ended = true;
        settle(resolve);
      };
      const onError = (error: Error): void => settle(() => reject(error));
      // The reason is whatever the caller aborts with.
      const onAbort = (): void => settle(() => reject(signal.reason as Error));
      if (signal.aborted) return onAbort();
      input.ref?.();
      signal.addEventListener('abort', onAbort, { once: true });
      return input.on('data', onData).once('end', onEnd).once('close', onEnd).once('error', onError).resume();
    });
  }
}

function tooLong(): PlugError {
  return new PlugError('too_large', 'A line on standard input is too long.', { owner: 'you' });
}
