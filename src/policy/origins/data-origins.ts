import type { JsonObject } from '../../base/json.ts';
import type { Limits } from '../../base/limits.ts';
import type { DataOrigin } from '../decision.ts';
import { type ArgumentText, eachArgumentText, eachText } from './argument-texts.ts';
import { decodings } from './decodings.ts';
import { PrincipalMemory, receiverOf } from './principal-memory.ts';
import { identifiers } from './identifiers.ts';
import { type FoundSource, Search } from './search.ts';
import { TextPrints } from './prints.ts';
import type { PrintMemory } from './print-memory.ts';

export interface Sending {
  readonly principal: string;
  readonly server: string;
  readonly args: JsonObject;
  /** Names the tool declares: not data. */
  readonly declared?: ReadonlySet<string>;
}

/**
 * Finds arguments that came from other servers' results: texts of about 24 letters (certain from 35) and
 * shorter identifiers, whatever their case, punctuation, encoding or small edits. Not found: paraphrased,
 * translated, encrypted or compressed text. What is too large or wrapped too often counts as coming from
 * everyone.
 */
export class DataOrigins {
  readonly #limits: Limits;
  readonly #memories = new Map<string, PrincipalMemory>();
  readonly #texts = new TextPrints();
  readonly #search: Search;
  #enabled: boolean;

  constructor(options: { readonly limits: Limits; readonly enabled?: boolean }) {
    this.#limits = options.limits;
    this.#search = new Search(this.#texts, options.limits);
    this.#enabled = options.enabled ?? false;
  }

  /** Knows of no result and no argument. */
  get isEmpty(): boolean {
    return this.#memories.size === 0;
  }

  get enabled(): boolean {
    return this.#enabled;
  }

  /** Only data rules need it; off, it costs nothing and forgets everything. */
  set enabled(enabled: boolean) {
    this.#enabled = enabled;
    if (!enabled) this.#memories.clear();
  }

  /** Keeps fingerprints: of the beginning, and samples of a very long rest. */
  remember(told: {
    readonly principal: string;
    readonly server: string;
    readonly tool: string;
    readonly result: unknown;
  }): void {
    if (!this.#enabled) return;
    const keeper = this.#memory(told.principal).keeper(told.server, told.tool, this.#texts);
    const { originResultCharsMax, originSpreadPieceChars, originSpreadPieces } = this.#limits;
    let left = originResultCharsMax;
    let pieces = originSpreadPieces;
    eachText(told.result, (text) => {
      if (text.length < SHORTEST) return;
      if (left > 0) keeper.keep(text.length > left ? text.slice(0, left) : text);
      const rest = left > 0 ? text.slice(left) : text;
      left -= text.length;
      if (rest === '' || pieces <= 0) return;
      const step = Math.max(originSpreadPieceChars, Math.floor(rest.length / pieces));
      for (let from = 0; from < rest.length && pieces > 0; from += step, pieces -= 1) {
        keeper.keep(rest.slice(from, from + originSpreadPieceChars));
      }
    });
  }

  /** If the server later says the same, it only repeats it. */
  sent({ principal, server, args, declared = NO_NAMES }: Sending): void {
    if (!this.#enabled) return;
    const { given } = this.#memory(principal);
    const receiver = receiverOf(server);
    eachArgumentText(args, declared, this.#limits, ({ text }) => {
      if (text.length < SHORTEST) return;
      for (const form of [text, ...decodings(text).forms]) {
        this.#texts.read(form);
        this.#texts.choose((hash, check) => given.add(hash, check, receiver));
        identifiers(form, (hash, check) => given.add(hash, check, receiver));
      }
    });
  }

  /** A server's own data doesn't count. */
  originsIn({ principal, server, args, declared = NO_NAMES }: Sending): readonly DataOrigin[] {
    const memory = this.#enabled ? this.#memories.get(principal) : undefined;
    if (!memory?.told.knowsOthers(server)) return [];
    const findings = new Findings(memory.told, this.#limits);
    const look = (found: ArgumentText): void => {
      const { text, argument, joined } = found;
      if (text.length < SHORTEST) return;
      const { forms, complete } = decodings(text);
      if (!complete) findings.undecided(argument, 'it is encoded too many times');
      findings.add(found, this.#search.find(text, memory.told, server, joined), true);
      for (const form of forms) {
        findings.add(found, this.#search.find(form, memory.told, server, joined), false);
      }
    };
    const whole = eachArgumentText(args, declared, this.#limits, look);
    if (!whole) findings.undecided('', 'they are too large');
    return findings.list(server);
  }

  forget(server: string): void {
    for (const { told } of this.#memories.values()) told.forget(server);
  }

  #memory(principal: string): PrincipalMemory {
    const known = this.#memories.get(principal);
    const memory = known ?? new PrincipalMemory(this.#limits.originPrintsMax);
    this.#memories.delete(principal);
    this.#memories.set(principal, memory);
    const oldest = this.#memories.keys().next();
    if (this.#memories.size > this.#limits.originPrincipalsMax && !oldest.done) {
      this.#memories.delete(oldest.value);
    }
    return memory;
  }
}

const SHORTEST = 8;
const NO_NAMES: ReadonlySet<string> = new Set();

class Findings {
  readonly #memory: PrintMemory;
  readonly #max: number;
  readonly #found = new Map<string, DataOrigin>();
  readonly #sources = new Set<number>();
  #undecided: { readonly argument: string; readonly why: string } | undefined;

  constructor(memory: PrintMemory, { originFindingsMax }: Limits) {
    this.#memory = memory;
    this.#max = originFindingsMax;
  }

  /** Beyond the limit the first of each source still counts: no crowd hides another's data. */
  add(
    { argument, joined }: Pick<ArgumentText, 'argument' | 'joined'>,
    found: ReadonlyMap<number, FoundSource>,
    exact: boolean,
  ): void {
    for (const [source, { sample, exact: unbroken }] of found) {
      if ((joined || this.#found.size >= this.#max) && this.#sources.has(source)) continue;
      this.#sources.add(source);
      const { server, tool } = this.#memory.sourceAt(source) ?? { server: '', tool: '' };
      const key = JSON.stringify([server, tool, argument]);
      if (this.#found.has(key)) continue;
      this.#found.set(key, { server, tool, argument, sample, exact: exact && unbroken && !joined });
    }
  }

  undecided(argument: string, why: string): void {
    this.#undecided ??= { argument, why };
  }

  /** Undecided data may come from everyone but the receiver. */
  list(receiver: string): readonly DataOrigin[] {
    const found = [...this.#found.values()];
    if (!this.#undecided) return found;
    const { argument, why } = this.#undecided;
    for (const { server, tool } of this.#memory.sources()) {
      const isTold =
        server === receiver || found.some((each) => each.server === server && each.tool === tool);
      if (!isTold) found.push({ server, tool, argument, sample: '', exact: false, undecided: why });
    }
    return found;
  }
}
