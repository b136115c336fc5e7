import { limits } from '../../base/limits.ts';
import { createRedactor, HIDDEN, type Redactor } from '../../base/redact.ts';
import type { Hub } from '../../hub/hub.ts';
import { setupLimits } from './limits.ts';
import { secretsSaid } from './secrets-said.ts';

/** Removes secrets from everything a model reads: those the person wrote, and the hub's own. */
export class Mask {
  readonly #redactor: Redactor = createRedactor();
  readonly #hub: Pick<Hub, 'secrets'>;
  readonly #short = new Map<string, readonly string[]>();
  readonly #withheld = new Set<string>();

  constructor(hub: Pick<Hub, 'secrets'>, said: readonly string[]) {
    this.#hub = hub;
    for (const text of said) {
      const secrets = secretsSaid(text);
      if (secrets.length > setupLimits.secretsMax) this.#withheld.add(text);
      for (const secret of secrets.slice(0, setupLimits.secretsMax)) this.#redactor.learn(secret);
      // A value too short to redact everywhere is hidden in its own message.
      this.#short.set(
        text,
        secrets.filter(({ length }) => length >= SHORT_CHARS_MIN && length < limits.redactedCharsMin),
      );
    }
  }

  /** A message of the person, also without secrets that only their position reveals. */
  said(text: string): string {
    if (this.#withheld.has(text)) return '[a text full of keys, which only the tools read]';
    const short = this.#short.get(text) ?? [];
    return this.hideSaid(short.reduce((sum, secret) => sum.replaceAll(secret, () => HIDDEN), text));
  }

  async hide(text: string): Promise<string> {
    return (await this.hideAll([text])).get(text) ?? '';
  }

  async hideAll(texts: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const hidden = await this.#hub.secrets.hide({ texts: texts.map((text) => this.hideSaid(text)) });
    return new Map(texts.map((text, index) => [text, hidden[index] ?? '']));
  }

  /** Without asking the hub. */
  hideSaid(text: string): string {
    return this.#redactor.redactText(text);
  }
}

const SHORT_CHARS_MIN = 4;
