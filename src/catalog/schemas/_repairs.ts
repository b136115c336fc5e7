import type { Limits } from '../../base/limits.ts';

export type SchemaLimits = Pick<Limits, Extract<keyof Limits, `schema${string}`>>;

export const DROP: unique symbol = Symbol('drop');

/** This schema can't be mended; caught by the check. */
export class Hopeless extends Error {}

export class Repairs {
  readonly #limits: SchemaLimits;
  readonly #path: string[] = [];
  readonly #sentences: string[] = [];
  #more = 0;
  #values = 0;
  #chars = 0;

  constructor(limits: SchemaLimits) {
    this.#limits = limits;
  }

  /** Every `enter` has its `leave`. */
  enter(key: string): void {
    this.#path.push(key);
    if (this.#path.length > this.#limits.schemaDepthMax) {
      throw new Hopeless(`The schema is nested more than ${this.#limits.schemaDepthMax} levels deep.`);
    }
  }

  leave(): void {
    this.#path.pop();
  }

  count(chars: number): void {
    this.#values += 1;
    this.#chars += chars;
    if (this.#values > this.#limits.schemaValuesMax || this.#chars > this.#limits.schemaCharsMax) {
      const most = Math.floor(this.#limits.schemaCharsMax / 1024);
      const { schemaValuesMax } = this.#limits;
      throw new Hopeless(`The schema is too large: more than ${most} KB or ${schemaValuesMax} values.`);
    }
  }

  add(what: string, key?: string): void {
    if (this.#sentences.length >= this.#limits.schemaRepairsShown) {
      this.#more += 1;
      return;
    }
    const path = (key === undefined ? this.#path : [...this.#path, key]).map(shown).join('.');
    this.#sentences.push(`${path === '' ? 'The schema' : `“${path}”`} ${what}.`);
  }

  drop(what: string): typeof DROP {
    this.add(what);
    return DROP;
  }

  get sentences(): readonly string[] {
    return this.#more === 0 ? this.#sentences : [...this.#sentences, `${this.#more} more repairs were made.`];
  }
}

function shown(key: string): string {
  const cut = key.length > 60 ? `${key.slice(0, 60)}…` : key;
  return cut.replaceAll(/[\p{C}“”]/gu, '�');
}
