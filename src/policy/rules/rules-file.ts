import { applyEdits, type FormattingOptions, modify } from 'jsonc-parser';
import { ignore, messageOf, PlugError } from '../../base/errors.ts';
import { canonicalJson } from '../../base/json.ts';
import { limits } from '../../base/limits.ts';
import type { ConfigWatch } from '../../servers/watch.ts';
import type { Effect, PolicyDefaults } from '../decision.ts';
import { describeRule } from './rule.ts';
import type { RulesProblem } from './node-reader.ts';
import { everythingAsks, noRules, type ParsedRules, parseRules, type Rules } from './parse.ts';
import { SCHEMA_NAME, type RulesPlace, type RulesText } from './rules-place.ts';
import { defined } from '../../base/defined.ts';

export interface RulesFileView {
  readonly file: string;
  readonly exists: boolean;
  readonly rules: readonly { readonly name: string; readonly says: string }[];
  readonly problems: readonly RulesProblem[];
}

/** The user's rules file: only a default is ever written. With a mistake, the last good rules stay. */
export class RulesFile {
  readonly #place: RulesPlace;
  readonly #listeners = new Set<() => void>();
  readonly #watch: ConfigWatch;
  #read: RulesText = { kind: 'missing' };
  #problems: readonly RulesProblem[] = [];
  #rules: Rules = everythingAsks;
  #path: string;
  /** In order: a read never overtakes a write. */
  #queue: Promise<unknown> = Promise.resolve();

  private constructor(place: RulesPlace) {
    this.#place = place;
    this.#path = place.path;
    this.#watch = place.watch(() =>
      ignore(this.reload(), 'what cannot be read is a problem that is shown, not an error'),
    );
  }

  static async open(place: RulesPlace): Promise<RulesFile> {
    // Watches first, then reads: no change is missed.
    const file = new RulesFile(place);
    await file.reload();
    return file;
  }

  get inForce(): Rules {
    return this.#rules;
  }

  view(): RulesFileView {
    return {
      file: this.#path,
      exists: this.#read.kind !== 'missing',
      rules: this.#rules.all.map((rule) => ({ name: rule.name, says: describeRule(rule) })),
      problems: this.#problems,
    };
  }

  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  reload(): Promise<void> {
    return this.#inTurn(() => this.#readNow());
  }

  /** In force, and in the file, when it resolves. */
  setDefaults(change: DefaultsChange): Promise<PolicyDefaults> {
    return this.#inTurn(async () => {
      if (change.call?.destructive === 'allow') {
        const message = 'Destructive tools always ask: their default is ask or deny.';
        throw new PlugError('usage', message, { owner: 'you' });
      }
      for (let attempt = 0; attempt < limits.clientEditAttemptsMax; attempt += 1) {
        await this.#readNow();
        if (await this.#writeNow(change)) return this.#rules.defaults;
      }
      throw this.#unusable('it changes all the time');
    });
  }

  close(): void {
    this.#watch.close();
    this.#listeners.clear();
  }

  async #readNow(): Promise<void> {
    const { path, read } = await this.#place.read();
    const same = path === this.#path && canonicalJson(read) === canonicalJson(this.#read);
    const first = this.#rules === everythingAsks;
    if (same && !first) return;
    const parsed = read.kind === 'ok' ? await this.#parse(read.text) : undefined;
    this.#path = path;
    this.#read = read;
    if (read.kind === 'unreadable') this.#problems = [{ line: 1, column: 1, message: read.message }];
    else if (parsed?.kind === 'broken') this.#problems = parsed.problems;
    else {
      this.#problems = [];
      this.#rules = parsed?.rules ?? noRules;
    }
    for (const listener of this.#listeners) listener();
  }

  /** Even our own failure must show that the file isn't in force. */
  async #parse(text: string): Promise<ParsedRules> {
    try {
      return await parseRules(text);
    } catch (error) {
      const message = `The rules cannot be used: ${messageOf(error)}.`;
      return { kind: 'broken', problems: [{ line: 1, column: 1, message }] };
    }
  }

  async #writeNow(change: DefaultsChange): Promise<boolean> {
    const [problem] = this.#problems;
    if (problem) throw this.#unusable(`there is a mistake in line ${problem.line}: ${problem.message}`);
    const isNew = this.#read.kind !== 'ok';
    const old = this.#read.kind === 'ok' ? this.#read.text : NEW_FILE;
    const { defaults } = this.#rules;
    const { call, ...others } = change;
    const wanted = { ...defaults, ...defined(others), call: { ...defaults.call, ...defined(call ?? {}) } };
    const text = editDefaults(old, change);
    const parsed = await parseRules(text);
    if (parsed.kind === 'broken' || canonicalJson(parsed.rules.defaults) !== canonicalJson(wanted)) {
      throw this.#unusable('its defaults could not be edited');
    }
    const now = await this.#place.read();
    if (canonicalJson(now.read) !== canonicalJson(this.#read)) return false;
    if (isNew || text !== old) await this.#place.write(text, { path: this.#path, isNew });
    await this.#readNow();
    return true;
  }

  async #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#queue.then(work);
    // The caller gets the error; the next in line goes on.
    this.#queue = Promise.allSettled([turn]);
    return turn;
  }

  #unusable(why: string): PlugError {
    return new PlugError('bad_config', `${this.#path} was not changed: ${why.replace(/\.$/, '')}.`, {
      owner: 'you',
      remedy: { do: 'check-rules' },
      details: { file: this.#path },
    });
  }
}

const NEW_FILE = `{\n  "$schema": "./${SCHEMA_NAME}"\n}\n`;

interface DefaultsChange {
  readonly connect?: Effect;
  readonly list?: Effect;
  readonly call?: Partial<PolicyDefaults['call']>;
}

function editDefaults(text: string, change: DefaultsChange): string {
  const { call = {}, ...rest } = change;
  const paths = [
    ...Object.entries(rest).map(([name, effect]) => ({ path: [name], effect })),
    ...Object.entries(call).map(([risk, effect]) => ({ path: ['call', risk], effect })),
  ];
  const formattingOptions = formattingOf(text);
  return paths.reduce((edited, { path, effect }) => {
    if (effect === undefined) return edited;
    return applyEdits(edited, modify(edited, ['defaults', ...path], effect, { formattingOptions }));
  }, text);
}

function formattingOf(text: string): FormattingOptions {
  const indent = /\n([\t ]+)\S/.exec(text)?.[1] ?? '  ';
  return {
    insertSpaces: !indent.startsWith('\t'),
    tabSize: indent.startsWith('\t') ? 1 : indent.length,
    eol: text.includes('\r\n') ? '\r\n' : '\n',
  };
}
