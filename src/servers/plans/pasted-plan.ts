import { defined } from '../../base/defined.ts';
import type { PastedServer } from '../paste/paste.ts';
import { checkPlan, type PlanChecks } from './checks.ts';
import { commandPackage } from './command-package.ts';
import { Form } from './form.ts';
import { suggestId } from './id.ts';
import type { Planned, PlanBase } from './install.ts';
import type { FormField, PlanArgument, PlanPart, PlanText, PlanValue, PlanWarning } from './plan.ts';
import { titleOfName } from './needs.ts';
import { asksForSecret, namesFolder } from './secret-fields.ts';

export type PastedLike = Pick<
  PastedServer,
  'name' | 'transport' | 'command' | 'args' | 'env' | 'cwd' | 'url' | 'headers' | 'needs'
>;

export interface PastedOptions extends PlanChecks {
  /** `link`: made by others, so it is untrusted. */
  readonly origin: 'paste' | 'link';
}

export function planPasted(server: PastedLike, options: PastedOptions): Planned {
  const untrusted = options.origin === 'link';
  const name =
    server.name ?? server.url ?? server.args?.find((arg) => !arg.startsWith('-')) ?? server.command ?? '';
  const warning: PlanWarning = {
    kind: 'untrusted-link',
    message: 'Anybody can make such a link. What it would run or contact stands below in full.',
  };
  const base: PlanBase = {
    id: suggestId(name),
    title: server.name ?? suggestId(name),
    source: { kind: 'manual' },
    untrusted,
    warnings: untrusted ? [warning] : [],
  };
  const form = new Form();
  const read = new Reading(form, server.needs, untrusted);
  if (server.url !== undefined) {
    const target = {
      kind: 'remote',
      transport: server.transport === 'sse' || server.transport === 'ws' ? server.transport : 'http',
      url: read.text(server.url, 'url'),
      query: [],
      headers: read.values(server.headers ?? {}, 'header'),
    } as const;
    return checkPlan(form.complete({ ...base, target }, 'remote'), options);
  }
  if (server.command === undefined)
    return { kind: 'refused', why: 'it names neither a command nor an address' };
  const { command, args: words = [] } = server;
  const found = commandPackage(command, words);
  const args = words.map((word, index): PlanArgument => {
    const text: PlanText =
      index === found?.index ? [...found.before, { package: true }] : read.text(word, 'argument');
    return { text, style: 'separate', optional: false };
  });
  const env = read.values(server.env ?? {}, 'env');
  const target = { kind: 'command', command, args, env, ...defined({ cwd: server.cwd }) } as const;
  return checkPlan(form.complete({ ...base, target, ...defined({ package: found?.package }) }), options);
}

class Reading {
  readonly #form: Form;
  readonly #needs: readonly string[];
  readonly #untrusted: boolean;

  constructor(form: Form, needs: readonly string[], untrusted: boolean) {
    this.#form = form;
    this.#needs = needs;
    this.#untrusted = untrusted;
  }

  values(given: Readonly<Record<string, string>>, where: 'env' | 'header'): readonly PlanValue[] {
    return Object.entries(given).map(([name, value]) => {
      // A secret in a link isn't the user's: they give their own.
      const ask = value === '' || this.#needs.includes(name) || (this.#untrusted && asksForSecret(name));
      const text =
        ask && !this.#holds(value)
          ? this.#ask(`${where}:${name}`, name, where)
          : this.text(value, where, name);
      return { name, text, optional: false };
    });
  }

  text(value: string, where: 'env' | 'header' | 'url' | 'argument', of = ''): PlanText {
    let parts: readonly PlanPart[] = [value];
    for (const need of this.#needs) {
      const mark = MARKS.map(([open, close]) => `${open}${need}${close}`).find((each) =>
        value.includes(each),
      );
      if (mark === undefined) continue;
      const hole = this.#ask(`var:${need}`, need, where, asksForSecret(of));
      parts = parts.flatMap((part) =>
        typeof part === 'string'
          ? part.split(mark).flatMap((piece, index) => (index === 0 ? [piece] : [...hole, piece]))
          : [part],
      );
    }
    return parts.filter((part) => part !== '');
  }

  #holds(value: string): boolean {
    return this.#needs.some((need) =>
      MARKS.some(([open, close]) => value.includes(`${open}${need}${close}`)),
    );
  }

  #ask(id: string, label: string, where: FormField['where'], secret = false): PlanText {
    const isFolder = (where === 'argument' || where === 'env') && namesFolder(label);
    const kind = secret || asksForSecret(label) ? 'secret' : isFolder ? 'folder' : 'text';
    return this.#form.add({ id, label, title: titleOfName(label), kind, where, required: true });
  }
}

/** A bare name is no placeholder: `docker run -e TOKEN` means the name. */
const MARKS: readonly (readonly [string, string])[] = [
  ['${env:', '}'],
  ['${input:', '}'],
  ['${', '}'],
  ['{{', '}}'],
  ['{', '}'],
  ['<', '>'],
  ['[', ']'],
  ['%', '%'],
  ['$', ''],
];
