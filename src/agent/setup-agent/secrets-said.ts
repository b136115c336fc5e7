import { HIDDEN, namesSecret } from '../../base/secret-names.ts';
import { literalSecretsIn } from '../../hub/secrets-in.ts';
import { mayBeSecret } from '../../base/secret-shapes.ts';
import { bareSecrets, secretsInText } from '../../base/secrets-in-text.ts';
import { definitionFrom } from '../../servers/paste/definition-from.ts';
import { parsePaste } from '../../servers/paste/parse-paste.ts';
import type { PastedServer } from '../../servers/paste/paste.ts';
import { setupLimits } from './limits.ts';
import { limits } from '../../base/limits.ts';
import { createRedactor, type Redactor } from '../../base/redact.ts';
import type { Hub } from '../../hub/hub.ts';

/** Everything in a text that may be a secret. Too many is fine: only the model's copy is masked. */
export function secretsSaid(text: string): readonly string[] {
  const inConfig = parsePaste(text).servers.flatMap(secretsOf);
  return bareSecrets([...inConfig, ...secretsInText(text)]);
}

/** Every variable and header: with a model listening we don't guess which ones are secret. */
function secretsOf(server: PastedServer): readonly string[] {
  const { env = {}, headers = {}, alt } = server;
  const pairs = [env, headers, alt?.headers ?? {}].flatMap((record) => Object.entries(record));
  const values = pairs.flatMap(([name, value]) => (namesSecret(name) || mayBeSecret(value) ? [value] : []));
  return [...values, ...literals(server)];
}

function literals(server: PastedServer): readonly string[] {
  try {
    return literalSecretsIn(definitionFrom(server, { source: { kind: 'manual' } }));
  } catch {
    return []; // no server after all: what looks like a key in it is found by its look
  }
}

/** Removes secrets from everything a model reads: those the person wrote, and the hub's own. */
export class Mask {
  readonly #redactor: Redactor = createRedactor();
  readonly #hub: Pick<Hub, 'secrets'>;
  readonly #short = new Map<string, readonly string[]>();
  readonly #withheld = new Set<string>();
  /** Too short to be looked for in every encoding. */
  readonly #words: string[] = [];

  constructor(hub: Pick<Hub, 'secrets'>, said: readonly string[]) {
    this.#hub = hub;
    for (const text of said) {
      const secrets = secretsSaid(text);
      if (secrets.length > setupLimits.secretsMax) this.#withheld.add(text);
      for (const secret of secrets.slice(0, setupLimits.secretsMax)) this.#redactor.learn(secret);
      // A value too short to redact everywhere is hidden in its own message.
      const isShort = ({ length }: string) => length >= SHORT_CHARS_MIN && length < limits.redactedCharsMin;
      this.#short.set(text, secrets.filter(isShort));
    }
  }

  /** A message of the person, also without secrets that only their position reveals. */
  said(text: string): string {
    if (this.#withheld.has(text)) return '[a text full of keys, which only the tools read]';
    const short = this.#short.get(text) ?? [];
    return this.hideSaid(short.reduce((sum, secret) => sum.replaceAll(secret, () => HIDDEN), text));
  }

  /** A word that only the question before it makes a key. */
  learn(key: string): void {
    this.#redactor.learn(key);
    if (key.length < limits.redactedCharsMin) this.#words.push(key);
  }

  async hide(text: string): Promise<string> {
    return (await this.hideAll([text])).get(text) ?? '';
  }

  async hideAll(texts: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const hidden = await this.#hub.secrets.hide({ texts: texts.map((text) => this.hideSaid(text)) });
    return new Map(texts.map((text, index) => [text, hidden[index] ?? '']));
  }

  hideSaid(text: string): string {
    const shown = this.#redactor.redactText(text);
    return this.#words.reduce((sum, word) => sum.replaceAll(word, () => HIDDEN), shown);
  }
}

const SHORT_CHARS_MIN = 4;
