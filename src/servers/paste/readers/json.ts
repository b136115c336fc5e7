import { isDeepStrictEqual } from 'node:util';
import { nextStep } from '../../../base/remedy-command.ts';
import { isObject } from '../../../base/json.ts';
import { findServers } from '../containers.ts';
import { readLenientJson, type LenientResult } from '../lenient-json.ts';
import { describeLookAlike } from '../look-alikes.ts';
import type { PasteProblem } from '../paste.ts';
import { applyEdits, type TextEdit } from '../repair.ts';
import type { Range, Reader, Reading, View } from '../view.ts';
import { ConfigReading } from './config-reading.ts';

export const jsonReader: Reader = { name: 'json', read: readJson };

/** After this many failed starts the text is not JSON. */
const FAILURES_MAX = 40;

function readJson(view: View): Reading {
  const reading = new ConfigReading(view, 'json');
  let failures = 0;
  for (let at = 0; at < view.text.length && failures < FAILURES_MAX && !view.budget.isOver;) {
    const start = nextStart(view.text, at);
    if (!start) break;
    let stuck = start.at;
    const result = readLenientJson(view.text, start.at, {
      members: start.members,
      budget: view.budget,
      onStuck: (place) => (stuck = place),
    });
    const worth = result && (isObject(result.value) || Array.isArray(result.value));
    if (!worth) {
      failures += 1;
      if (!start.members && HOLDS_SERVERS.test(view.text.slice(start.at, start.at + 200)))
        reading.problems.push(unreadable(view, stuck));
    } else takeDocument(reading, view, result, start.at);
    at = worth ? Math.max(result.end, start.at + 1) : start.next;
    view.budget.step();
  }
  return reading;
}

function takeDocument(reading: ConfigReading, view: View, result: LenientResult, from: number): void {
  const { value, end } = result;
  const range = { from, to: end };
  const notMcp = describeLookAlike(value);
  const holding = findServers(notMcp === undefined ? value : undefined);
  const offsetOf = ({ raw }: { readonly raw: object }): number => result.places.get(raw) ?? from;
  if (!reading.add(holding, { value, range, offsetOf })) {
    if (notMcp !== undefined) reading.notMcp ??= notMcp;
    else reading.onlyBuiltIns(holding);
    const before = view.text.slice(view.text.lastIndexOf('\n', from - 1) + 1, from);
    const isDocument = before.trim() === '' && view.text[from] === '{';
    if (isDocument || notMcp !== undefined || holding.container !== null) reading.claims.push(range);
    return;
  }
  if (result.truncated) reading.problems.push(cutOff(view.lineAt(end)));
  const changes = result.changes.map(({ at, what }) => ({ line: view.lineAt(at), what }));
  if (changes.length > 0) reading.repaired(changes, editsOf(view, result, range));
}

/** Only what was wrong, if that makes the text sound; else the whole document is written anew. */
function editsOf({ text, budget }: View, result: LenientResult, { from, to }: Range): readonly TextEdit[] {
  const shifted = result.edits.map((edit) => ({ ...edit, from: edit.from - from, to: edit.to - from }));
  const mended = result.truncated ? '' : applyEdits(text.slice(from, to), shifted);
  const again = readLenientJson(mended, 0, { budget });
  const isSound = again && again.changes.length === 0 && isDeepStrictEqual(again.value, result.value);
  return isSound ? result.edits : [{ from, to, by: JSON.stringify(result.value, undefined, 2) }];
}

/** A config by its first words, so that what stops the reader is worth telling. */
const HOLDS_SERVERS = /["'“]?(?:mcpServers|servers|context_servers|mcp_servers|mcp)["'”]?\s*[:=]/;

function unreadable(view: View, at: number): PasteProblem {
  const found =
    view.text
      .slice(at, at + 30)
      .split('\n', 1)[0]
      ?.trim() ?? '';
  return {
    message: `This JSON can be read up to here only${found === '' ? '' : `: ${found}`}.`,
    severity: 'error',
    owner: 'you',
    line: view.lineAt(Math.min(at, view.text.length - 1)),
    ...nextStep('Correct that line, or paste only the part of one server.'),
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

// At the start of a line: a brace, a list of objects, or a member without braces.
const LINE_START =
  /^[ \t`]*(?:(\{)|(\[)(?=\s*(?:[{\n]|$|"[^"\n]*"\s*:))|(["'“”„‘]|\\")[^"'“”„‘\n\\]{1,120}(?:["'“”’]|\\")\s*:\s*[{["'“\\]|((?:mcpServers|servers|context_servers|mcp_servers)\s*[:=]\s*\{))/;
// Within a line: an object with a name in it, or one that code opens.
const INLINE =
  /(?:=|\(|default|return|:)\s*(\{)\s*$|(\{)\s*(?:["'“„]|\\")?[\w.@/$-]{1,80}(?:["'”“]|\\")?\s*:\s*(?:["'“[{\\tfn\d]|$)/;

/** Where a value may start, and where to continue if none can be read there. */
function nextStart(text: string, from: number): { at: number; members: boolean; next: number } | undefined {
  for (let at = from; at < text.length;) {
    const newline = text.indexOf('\n', at);
    const end = newline < 0 ? text.length : newline;
    // A minified config may be one line: only its beginning is searched.
    const line = text.slice(at, Math.min(end, at + 4_000));
    const fresh = at === 0 || text[at - 1] === '\n';
    const start = fresh ? LINE_START.exec(line) : null;
    if (start) {
      const members = start[1] === undefined && start[2] === undefined;
      return { at: at + (/[^ \t`]/.exec(line)?.index ?? 0), members, next: end + 1 };
    }
    const inline = INLINE.exec(line);
    if (inline) {
      const offset = at + inline.index + inline[0].indexOf('{');
      return { at: offset, members: false, next: offset + 1 };
    }
    at = end + 1;
  }
  return undefined;
}
