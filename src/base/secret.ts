import { inspect } from 'node:util';

const SHOWN = '[secret]';

/** A value that prints as "[secret]" wherever it ends up. reveal() belongs to vault/ and connections/. */
export class Secret {
  readonly #value: string;

  constructor(value: string) {
    this.#value = value;
  }

  reveal(): string {
    return this.#value;
  }

  toString(): string {
    return SHOWN;
  }

  toJSON(): string {
    return SHOWN;
  }

  [inspect.custom](): string {
    return SHOWN;
  }
}
