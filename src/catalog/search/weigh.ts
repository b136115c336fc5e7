import type { Analyzer } from './analyze.ts';
import { firstSentence, schemaWords, type ToolDocument } from './document.ts';
import { searchLimits } from './limits.ts';
import { FIRST_IN_NAME, IMPACT_MAX, IN_NAME } from './scoreboard.ts';
import { type Field, fields, weights } from './weights.ts';

/** What is read of one server: what its tools share once, and of each tool a text for each field. */
export interface ServerTexts {
  readonly shared: Readonly<Record<SharedField, string>>;
  readonly tools: readonly ToolTexts[];
}

export interface ToolTexts extends Readonly<
  Record<Exclude<Field, SharedField | 'firstSentence' | 'learned'>, string>
> {
  readonly learned: readonly string[] | undefined;
}

type SharedField = 'serverName' | 'serverDescription';

/** What many tools' texts say, as it can be handed from thread to thread. */
export interface Weighed {
  /** Each at its number. The same list for several of these has the same numbers, and may have more. */
  readonly terms: readonly string[];
  /** How many terms each tool has. */
  readonly counts: Uint32Array<ArrayBuffer>;
  /** The numbers of those terms, tool after tool. */
  readonly numbers: Uint32Array<ArrayBuffer>;
  /** What each says about the tool. */
  readonly says: Uint16Array<ArrayBuffer>;
}

/** BM25F frequencies, summed over the fields and saturated; terms of the name are marked. */
export class Weigher {
  readonly #analyzer: Analyzer;
  /** By number of the term: what this tool has so far. */
  #frequencies = new Float64Array(0);
  readonly #ofTool: number[] = [];
  #given = new Output();

  constructor(analyzer: Analyzer) {
    this.#analyzer = analyzer;
  }

  weigh(servers: readonly ServerTexts[]): Weighed {
    this.#analyzer.makeRoom();
    this.#given = new Output();
    const counts = servers.flatMap(({ shared, tools }) => {
      // Read once, and kept while other texts are read.
      const serverName = this.#analyzer.read(shared.serverName).slice();
      const serverDescription = this.#analyzer.read(shared.serverDescription).slice();
      return tools.map((tool) => this.#weighTool(tool, { serverName, serverDescription }));
    });
    return { terms: this.#analyzer.numbered, counts: Uint32Array.from(counts), ...this.#given.whole() };
  }

  /** How many terms it has. */
  #weighTool(tool: ToolTexts, shared: Readonly<Record<SharedField, Int32Array>>): number {
    for (const { field, weight, b, usualTerms } of fields) {
      const terms = this.#termsOf(field, tool, shared);
      this.#grow();
      const share = weight / (1 - b + (b * terms.length) / usualTerms);
      // Indexed on purpose: runs a hundred times for each tool.
      for (let at = 0; at < terms.length; at += 1) {
        const term = terms[at] ?? 0;
        const before = this.#frequencies[term] ?? 0;
        if (before === 0) this.#ofTool.push(term);
        this.#frequencies[term] = before + share;
      }
    }
    const count = this.#ofTool.length;
    const from = this.#given.count;
    for (const term of this.#ofTool) {
      const frequency = this.#frequencies[term] ?? 0;
      const impact = Math.round((IMPACT_MAX * frequency) / (weights.k1 + frequency));
      this.#given.add(term, Math.max(1, impact));
      this.#frequencies[term] = 0;
    }
    // The name is the first field, so its terms are the first.
    for (const [place, term] of this.#analyzer.read(tool.name).entries())
      this.#given.mark(from + this.#ofTool.indexOf(term), place === 0 ? IN_NAME | FIRST_IN_NAME : IN_NAME);
    this.#ofTool.length = 0;
    return count;
  }

  #termsOf(
    field: Field,
    tool: ToolTexts,
    shared: Readonly<Record<SharedField, Int32Array>>,
  ): ArrayLike<number> {
    if (field === 'learned') return (tool.learned ?? []).map((term) => this.#analyzer.numberOf(term));
    if (field === 'serverName' || field === 'serverDescription') return shared[field];
    return this.#analyzer.read(field === 'firstSentence' ? firstSentence(tool.description) : tool[field]);
  }

  #grow(): void {
    if (this.#frequencies.length >= this.#analyzer.numbered.length) return;
    const old = this.#frequencies;
    this.#frequencies = new Float64Array(2 * this.#analyzer.numbered.length);
    this.#frequencies.set(old);
  }
}

/** Grows as it is written. */
class Output {
  #numbers = new Uint32Array(1 << 12);
  #says = new Uint16Array(1 << 12);
  #count = 0;

  get count(): number {
    return this.#count;
  }

  add(number: number, says: number): void {
    if (this.#count === this.#numbers.length) this.#grow();
    this.#numbers[this.#count] = number;
    this.#says[this.#count] = says;
    this.#count += 1;
  }

  mark(at: number, mark: number): void {
    this.#says[at] = (this.#says[at] ?? 0) | mark;
  }

  whole(): Pick<Weighed, 'numbers' | 'says'> {
    return { numbers: this.#numbers.slice(0, this.#count), says: this.#says.slice(0, this.#count) };
  }

  #grow(): void {
    const [numbers, says] = [this.#numbers, this.#says];
    this.#numbers = new Uint32Array(2 * numbers.length);
    this.#numbers.set(numbers);
    this.#says = new Uint16Array(2 * says.length);
    this.#says.set(says);
  }
}

/** No more of a text than is read. */
export function textsOf({ documents }: { readonly documents: readonly ToolDocument[] }): ServerTexts {
  const [first] = documents;
  return {
    shared: {
      serverName: read(first?.server ?? ''),
      serverDescription: read(first?.serverDescription ?? ''),
    },
    tools: documents.map(({ name, title = '', description = '', inputSchema, learned }) => {
      const { names, texts } = schemaWords(inputSchema);
      return {
        name: read(name),
        title: read(title),
        description: read(description),
        parameterNames: read(names),
        parameterTexts: read(texts),
        learned,
      };
    }),
  };
}

function read(text: string): string {
  return text.length > searchLimits.fieldCharsMax ? text.slice(0, searchLimits.fieldCharsMax) : text;
}
