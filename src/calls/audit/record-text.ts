import { assert } from '../../base/errors.ts';
import type { AuditRecord, BegunRecord, RecordEnding, WrittenRecord } from '../audit-record.ts';

export function textIn(record: AuditRecord | WrittenRecord): string {
  return 'text' in record ? record.text : textOfRecord(record);
}

/** V8 keeps a concatenated string as its parts until it is read. */
function flat(text: string): string {
  assert(text.charCodeAt(0) > 0, 'a text begins with a character');
  return text;
}

/** JSON text of a record, assembled by hand: every call writes one, and most parts repeat. */
export function textOfRecord(record: AuditRecord): string {
  return textOfBeginning(record) + textOfEnding(record);
}

/** Valid JSON once a closing brace is appended. */
export function textOfBeginning(record: BegunRecord): string {
  const { approval, leftOut } = record;
  let text = `{"callId":${JSON.stringify(record.callId)},"at":${numberText(record.at)}${subjectText(record)}`;
  text += `${JSON.stringify(record.args)}${decidedText(record)}`;
  if (approval !== undefined) text += `,"approval":${JSON.stringify(approval)}`;
  if (leftOut) text += ',"leftOut":true';
  return `${text},"argsBytes":${numberText(record.argsBytes)}`;
}

export function textOfEnding(ending: RecordEnding): string {
  const { durationMs, waitedMs, outcome, error, resultBytes, resultId, retries } = ending;
  let text = `,"durationMs":${numberText(durationMs)},"outcome":${quoted(outcome)}`;
  if (waitedMs !== undefined) text += `,"waitedMs":${numberText(waitedMs)}`;
  if (error !== undefined) text += `,"error":${JSON.stringify(error)}`;
  if (resultBytes !== undefined) text += `,"resultBytes":${numberText(resultBytes)}`;
  if (resultId !== undefined) text += `,"resultId":${JSON.stringify(resultId)}`;
  if (retries !== undefined) text += `,"retries":${numberText(retries)}`;
  return `${text}}`;
}

/** Up to the arguments; usually the same as in the record before. */
function subjectText(record: BegunRecord): string {
  const { principal, requester, server, account, tool, risk } = record;
  const { kind, id, name, through } = requester;
  const last = lastSubject;
  if (
    last.tool === tool &&
    last.server === server &&
    last.id === id &&
    last.name === name &&
    last.through === through &&
    last.kind === kind &&
    last.account === account &&
    last.principal === principal &&
    last.risk === risk
  ) {
    return last.text;
  }
  const who = `,"principal":${quoted(principal)},"requester":${requesterText(requester)}`;
  const where = `,"server":${quoted(server)}${account === undefined ? '' : `,"account":${quoted(account)}`}`;
  const text = flat(`${who}${where},"tool":${quoted(tool)},"risk":${quoted(risk)},"args":`);
  lastSubject = { principal, kind, id, name, through, server, account, tool, risk, text };
  return text;
}

type SubjectField = 'principal' | 'kind' | 'id' | 'name' | 'through' | 'server' | 'account' | 'tool' | 'risk';

let lastSubject: { [K in SubjectField]?: string | undefined } & { readonly text: string } = { text: '' };

function requesterText({ kind, id, name, through }: AuditRecord['requester']): string {
  let text = `{"kind":${quoted(kind)},"id":${quoted(id)}`;
  if (name !== undefined) text += `,"name":${quoted(name)}`;
  if (through !== undefined) text += `,"through":${quoted(through)}`;
  return `${text}}`;
}

function decidedText({ effect, by }: BegunRecord): string {
  const decided = `,"effect":${quoted(effect)},"by":`;
  if (by.kind === 'trust') return `${decided}{"kind":"trust","trust":${quoted(by.trust)}}`;
  if (by.kind === 'grant') return `${decided}{"kind":"grant","id":${quoted(by.id)}}`;
  if (by.kind === 'default') return `${decided}{"kind":"default","path":${quoted(by.path)}}`;
  return `${decided}${JSON.stringify(by)}`;
}

function numberText(value: number): string {
  return Number.isFinite(value) ? `${value}` : 'null';
}

function quoted(text: string): string {
  const known = quotes.get(text);
  if (known !== undefined) return known;
  const made = JSON.stringify(text);
  // Names repeat with every call; a flood of new ones must not stay.
  if (quotes.size >= QUOTES_MAX) quotes.clear();
  if (text.length <= QUOTED_CHARS_KEPT) quotes.set(text, made);
  return made;
}

const quotes = new Map<string, string>();
const QUOTES_MAX = 2_000;
const QUOTED_CHARS_KEPT = 200;
