import { Secret } from '../../base/secret.ts';
import type { PlanArgument, PlanPart, PlanText, PlanValue } from './plan.ts';
import type { GivenValue } from './values.ts';

/** Writes a plan's texts with the user's values. Secrets become references into the vault. */
export class Writer {
  readonly #server: string;
  readonly #given: ReadonlyMap<string, GivenValue>;
  readonly #package: string | undefined;
  readonly #secrets = new Map<string, Secret>();

  constructor(server: string, given: ReadonlyMap<string, GivenValue>, spec: string | undefined) {
    this.#server = server;
    this.#given = given;
    this.#package = spec;
  }

  secrets(): readonly { readonly name: string; readonly value: Secret }[] {
    return [...this.#secrets].map(([name, value]) => ({ name, value }));
  }

  /** Text that is meant as it stands, however much it looks like a placeholder. */
  literal(text: string): string {
    return text.replaceAll('${', () => '$${');
  }

  args(planned: readonly PlanArgument[], env: ReadonlySet<string>): readonly string[] {
    return planned.flatMap((argument) => this.#argument(argument, env));
  }

  record(values: readonly PlanValue[]): Readonly<Record<string, string>> {
    return Object.fromEntries(
      values.filter((value) => this.#complete(value)).map(({ name, text }) => [name, this.#text(text)]),
    );
  }

  headers(values: readonly PlanValue[]): Readonly<Record<string, string>> {
    return Object.fromEntries(
      values
        .filter((value) => this.#complete(value))
        .map(({ name, text }) => [name, this.#scheme(name, text) + this.#text(text)]),
    );
  }

  /** Values are percent-encoded, so that none can change the address beyond its place. */
  url(text: PlanText, query: readonly PlanValue[]): string {
    const whole = text.map((part, index) => this.#inAddress(part, index === 0)).join('');
    const pairs = query
      .filter((value) => this.#complete(value))
      .map(
        ({ name, text: value }) =>
          `${encodeURIComponent(name)}=${value.map((part) => this.#inAddress(part)).join('')}`,
      );
    if (pairs.length === 0) return whole;
    return `${whole}${whole.includes('?') ? '&' : '?'}${pairs.join('&')}`;
  }

  #argument({ flag, text, style, whenEnv }: PlanArgument, env: ReadonlySet<string>): readonly string[] {
    if (whenEnv !== undefined && !env.has(whenEnv)) return [];
    if (text === undefined) return flag === undefined ? [] : [this.literal(flag)];
    if (!this.#complete({ text })) return [];
    const [only] = text;
    const many =
      text.length === 1 && typeof only === 'object' && 'field' in only
        ? this.#given.get(only.field)
        : undefined;
    if (flag !== undefined && many?.field.kind === 'boolean')
      return many.texts[0] === 'true' ? [this.literal(flag)] : [];
    // A field with several values makes an argument of each.
    const written =
      many && many.texts.length > 1 ? many.texts.map((each) => this.literal(each)) : [this.#text(text)];
    return written.flatMap((value) => {
      if (flag === undefined) return [value];
      return style === 'equals' ? [`${this.literal(flag)}=${value}`] : [this.literal(flag), value];
    });
  }

  #complete({ text }: { readonly text: PlanText }): boolean {
    return text.every((part) => typeof part === 'string' || 'package' in part || this.#given.has(part.field));
  }

  #text(text: PlanText): string {
    return text.map((part) => this.#part(part)).join('');
  }

  #part(part: PlanPart): string {
    if (typeof part === 'string') return this.literal(part);
    if ('package' in part) return this.#package ?? '';
    const given = this.#given.get(part.field);
    if (given === undefined) return '';
    return given.field.kind === 'secret' ? this.#keep(given, '') : this.literal(given.texts.join(','));
  }

  #inAddress(part: PlanPart, first = false): string {
    if (typeof part === 'string') return this.literal(part);
    const given = 'field' in part ? this.#given.get(part.field) : undefined;
    if (given === undefined) return '';
    if (given.field.kind === 'secret') return this.#keep(given, '.url');
    const value = given.texts.join(',');
    // An address that begins with a value is a whole address, or a host after the scheme.
    return first ? this.literal(value) : encodeURIComponent(value).replaceAll('%3A', ':');
  }

  /** In an address a secret has to be encoded, so that it is kept in that form beside the other. */
  #keep({ field, texts }: GivenValue, form: '' | '.url'): string {
    const [text = ''] = texts;
    const name = `${this.#server}/${field.label.replaceAll(/[^\w.@-]+/g, '_').replace(/^[-.]+/, '')}${form}`;
    this.#secrets.set(name, new Secret(form === '' ? text : encodeURIComponent(text)));
    return `\${vault:${name}}`;
  }

  /** People paste the token alone where `Authorization: Bearer …` is meant. */
  #scheme(name: string, text: PlanText): string {
    const [only] = text;
    if (name.toLowerCase() !== 'authorization' || text.length !== 1 || typeof only !== 'object') return '';
    const given = 'field' in only ? this.#given.get(only.field) : undefined;
    const { description = '', placeholder = '' } = given?.field ?? {};
    const words = `${description} ${placeholder}`.trim();
    const alone = given?.texts[0] !== undefined && !/\s/.test(given.texts[0]);
    return alone && (words === '' || /bearer/i.test(words)) ? 'Bearer ' : '';
  }
}
