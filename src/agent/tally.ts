import type { ChatUsage, ModelView } from '../hub/hub.ts';
import type { Answer } from './answer.ts';

/** Counts what a turn has used. */
export class Tally {
  readonly #view: ModelView;
  readonly #counts: { readonly calls: number };
  #inputTokens = 0;
  #outputTokens = 0;
  #steps = 0;

  constructor(view: ModelView, counts: { readonly calls: number }) {
    this.#view = view;
    this.#counts = counts;
  }

  add({ inputTokens, outputTokens }: Pick<Answer, 'inputTokens' | 'outputTokens'>): void {
    this.#steps += 1;
    this.#inputTokens += inputTokens;
    this.#outputTokens += outputTokens;
  }

  usage(): ChatUsage {
    const { price } = this.#view;
    const [inputTokens, outputTokens] = [this.#inputTokens, this.#outputTokens];
    const cost = price && (inputTokens * price.input + outputTokens * price.output) / 1_000_000;
    const base = { inputTokens, outputTokens, steps: this.#steps, calls: this.#counts.calls };
    return cost === undefined ? base : { ...base, cost };
  }
}
