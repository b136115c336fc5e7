import { nextStep } from '../../../base/remedy-command.ts';
import { isObject } from '../../../base/json.ts';
import { limits } from '../../../base/limits.ts';
import { findServers, type Holding } from '../containers.ts';
import { dialectOf } from '../dialects.ts';
import { readLenientJson, type LenientResult } from '../lenient-json.ts';
import { describeLookAlike } from '../look-alikes.ts';
import type { PasteChange, PasteProblem } from '../paste.ts';
import type { Found, Range, Reader, Reading, View } from '../view.ts';

export const jsonReader: Reader = { name: 'json', read: readJson };

/** After this many failed starts the text is not JSON. */
const FAILURES_MAX = 40;

function readJson(view: View): Reading {
  const state = new JsonState(view);
  let failures = 0;
  for (let at = 0; at < view.text.length && failures < FAILURES_MAX && !view.budget.isOver;) {
    const start = nextStart(view.text, at);
    if (!start) break;
    const result = readLenientJson(view.text, start.at, { members: start.members, budget: view.budget });
    const worth = result && (isObject(result.value) || Array.isArray(result.value));
    if (worth) state.take(result, start.at);
    else failures += 1;
    at = worth ? Math.max(result.end, start.at + 1) : start.next;
    view.budget.step();
  }
  return state.reading();
}

class JsonState {
  readonly #view: View;
  readonly #found: Found[] = [];
  readonly #claims: Range[] = [];
  readonly #problems: PasteProblem[] = [];
  readonly #changes: PasteChange[] = [];
  readonly #corrected: string[] = [];
  #format: string | undefined;
  #notMcp: string | undefined;
  #documents = 0;

  constructor(view: View) {
    this.#view = view;
  }

  take(result: LenientResult, from: number): void {
    const { value, end } = result;
    const notMcp = describeLookAlike(value);
    const holding = notMcp === undefined ? findServers(value) : EMPTY;
    if (holding.servers.length === 0 && holding.rejected.length === 0) {
      this.#notMcp ??= notMcp ?? (holding.builtIns.length > 0 ? builtInsOnly(holding) : undefined);
      const lineStart = this.#view.text.lastIndexOf('\n', from - 1) + 1;
      const isDocument =
        this.#view.text.slice(lineStart, from).trim() === '' && this.#view.text[from] === '{';
      if (isDocument || notMcp !== undefined || holding.container !== null)
        this.#claims.push({ from, to: end });
      return;
    }
    this.#documents += 1;
    this.#claims.push({ from, to: end });
    const line = (at: number): number => this.#view.lines.at(at);
    for (const { draft, raw } of holding.servers) {
      this.#found.push({ draft, at: result.places.get(raw) ?? from, rank: 'config', document: from });
    }
    for (const name of holding.rejected.slice(0, limits.pasteProblemsMax))
      this.#problems.push(rejected(name, line(from)));
    this.#format ??= dialectOf(holding.container, value, 'json');
    if (result.truncated) this.#problems.push(cutOff(line(end)));
    if (result.changes.length === 0) return;
    this.#changes.push(...result.changes.map(({ at, what }) => ({ line: line(at), what })));
    this.#corrected.push(JSON.stringify(value, undefined, 2));
  }

  reading(): Reading {
    if (this.#documents > 1 && this.#view.blocks.length === 1) {
      this.#changes.push({ line: 1, what: `${this.#documents} separate documents stood in one text` });
    }
    return {
      found: this.#found,
      claims: this.#claims,
      problems: this.#problems,
      changes: this.#changes,
      corrected: this.#corrected,
      ...(this.#format === undefined ? {} : { format: this.#format }),
      ...(this.#notMcp === undefined ? {} : { notMcp: this.#notMcp }),
    };
  }
}

const EMPTY: Holding = { servers: [], rejected: [], builtIns: [], container: null };

export function rejected(name: string, line: number): PasteProblem {
  return {
    message: `“${name.slice(0, 80)}” says neither a command nor an address, so there is nothing to connect to.`,
    severity: 'error',
    owner: 'you',
    line,
    ...nextStep('Give it a "command" with "args", or a "url".'),
  };
}

function cutOff(line: number): PasteProblem {
  return {
    message: 'The text ends in the middle; what was complete has been read.',
    severity: 'warning',
    owner: 'you',
    line,
    ...nextStep('Paste the rest too, if servers are missing.'),
  };
}

export function builtInsOnly({ builtIns }: Holding): string {
  return `This lists only built-in extensions (${builtIns.slice(0, 5).join(', ')}): they are part of their own client, and there is no server to connect to.`;
}

interface Start {
  readonly at: number;
  readonly members: boolean;
  readonly next: number;
}

// At the start of a line: a brace, a list of objects, or a member without braces.
const LINE_START =
  /^[ \t`]*(?:(\{)|(\[)(?=\s*(?:[{\n]|$|"[^"\n]*"\s*:))|(["'“”„‘]|\\")[^"'“”„‘\n\\]{1,120}(?:["'“”’]|\\")\s*:\s*[{["'“\\]|((?:mcpServers|servers|context_servers|mcp_servers)\s*[:=]\s*\{))/;
// Within a line: an object with a name in it, or one that code opens.
const INLINE =
  /(?:=|\(|default|return|:)\s*(\{)\s*$|(\{)\s*(?:["'“„]|\\")?[\w.@/$-]{1,80}(?:["'”“]|\\")?\s*:\s*(?:["'“[{\\tfn\d]|$)/;

function nextStart(text: string, from: number): Start | undefined {
  for (let at = from; at < text.length;) {
    const newline = text.indexOf('\n', at);
    const end = newline < 0 ? text.length : newline;
    // A minified config may be one line: only its beginning is searched.
    const line = text.slice(at, Math.min(end, at + 4_000));
    const fresh = at === 0 || text[at - 1] === '\n';
    const start = fresh ? LINE_START.exec(line) : null;
    const inline = start ? null : INLINE.exec(line);
    if (start) {
      const members = start[1] === undefined && start[2] === undefined;
      const offset = at + (/[^ \t`]/.exec(line)?.index ?? 0);
      return { at: offset, members, next: end + 1 };
    }
    if (inline) {
      const offset = at + inline.index + inline[0].indexOf('{');
      return { at: offset, members: false, next: offset + 1 };
    }
    at = end + 1;
  }
  return undefined;
}
