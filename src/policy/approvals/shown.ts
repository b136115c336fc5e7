import { showHidden } from '../../catalog/hidden-text.ts';
import type { Approval, ApprovalPreview } from '../approval.ts';
import { leavesOf } from './leaves.ts';

/** One line of a card for all faces. The text has no line break, so that no argument can forge a line. */
export interface CardLine {
  /** Empty: continues the line before. */
  readonly label: string;
  readonly text: string;
  readonly style: 'name' | 'plain' | 'place' | 'danger' | 'note' | 'added' | 'removed' | 'context';
}

/** Everything a person needs to decide, most severe first; nothing is left out or hidden. */
export function cardLines(approval: Approval): readonly CardLine[] {
  const { account, requester, risk, decision, flags = [] } = approval;
  const server = account === undefined ? approval.server : `${approval.server} (${account})`;
  return [
    line('server', server, 'name'),
    line('tool', approval.tool, 'name'),
    line('risk', risk, risk === 'read' ? 'plain' : 'danger'),
    line('asked by', askerOf(requester), 'plain'),
    ...flags.map(({ field, detail }) => line('warning', `${field}: ${detail}`, 'danger')),
    ...placesIn(approval),
    ...argumentsIn(approval),
    line('why', decision.reason, 'note'),
    ...changesIn(approval),
    ...(approval.preview ? previewLines(approval.preview) : []),
  ];
}

/** A random id means nothing to a person. */
function askerOf({ kind, name }: Approval['requester']): string {
  if (name !== undefined) return `${name} (${kind})`;
  return kind === 'person' ? 'you' : `a ${kind}`;
}

/** Foreign text on one line, with hidden characters shown. */
export function shownLine(text: string): string {
  return showHidden(text.replaceAll(/[\t\n\r]/g, (found) => ESCAPED[found] ?? found));
}

const ESCAPED: Readonly<Record<string, string>> = { '\t': '\\t', '\n': '\\n', '\r': '\\r' };

function line(label: string, text: string, style: CardLine['style']): CardLine {
  return { label: shownLine(label), text: shownLine(text), style };
}

/** Paths and addresses the call reaches. */
function placesIn({ args }: Approval): readonly CardLine[] {
  return leavesOf(args).flatMap(({ path, value }) =>
    typeof value === 'string' && isPlace(path, value) ? [line(path, placeText(value), 'place')] : [],
  );
}

/** In quotes where a blank at either end would go unseen. */
function placeText(value: string): string {
  return value.trim() === value ? value : JSON.stringify(value);
}

function isPlace(path: string, text: string): boolean {
  if (text.length === 0 || text.length > PLACE_CHARS_MAX || text.includes('\n')) return false;
  return ADDRESS.test(text) || PLACE_NAME.test(path.slice(path.lastIndexOf('.') + 1));
}

const PLACE_CHARS_MAX = 4_096;
const ADDRESS = /^([a-z][a-z0-9+.-]*:\/\/|~?\/|\.{1,2}\/|[a-z]:[\\/]|\\\\)/i;
const PLACE_NAME = /(^|_|[a-z])(path|file|filename|url|uri|folder|directory|dir|cwd|destination|host)s?$/i;

/** All arguments but the places, which stand above already. */
function argumentsIn({ args }: Approval): readonly CardLine[] {
  const leaves = leavesOf(args);
  if (leaves.length === 0) return [line('arguments', 'none', 'plain')];
  const others = leaves.filter(({ path, value }) => typeof value !== 'string' || !isPlace(path, value));
  return others.flatMap(({ path, value }) =>
    typeof value === 'string' && value.includes('\n')
      ? textLines(path, value, () => 'plain')
      : [line(path, JSON.stringify(value), 'plain')],
  );
}

function textLines(label: string, text: string, style: (line: string) => CardLine['style']) {
  return text
    .replaceAll('\r\n', '\n')
    .split('\n')
    .map((each, index) => line(index === 0 ? label : '', each, style(each)));
}

function changesIn({ changes }: Approval): readonly CardLine[] {
  if (!changes) return [];
  if (changes.length === 0) return [line('changed', 'nothing since the last approved call', 'plain')];
  const lines = changes.flatMap(({ path, before, after }) => [
    ...(before === undefined ? [] : ([[`- ${path}: ${JSON.stringify(before)}`, 'removed']] as const)),
    ...(after === undefined ? [] : ([[`+ ${path}: ${JSON.stringify(after)}`, 'added']] as const)),
  ]);
  return lines.map(([text, style], index) => line(index === 0 ? 'changed' : '', text, style));
}

/** The path of the file, or the name of the argument, stands above: it is not said again. */
function previewLines({ kind, path, text, isDiff }: ApprovalPreview): readonly CardLine[] {
  if (text === '') return [line(kind, 'stays as it is', 'plain')];
  const [old, fresh, ...rest] = text.split('\n');
  const body = isDiff && old === `--- ${path}` && fresh === `+++ ${path}` ? rest.join('\n') : text;
  return textLines(isDiff ? 'changes' : 'writes', body, isDiff ? styleOfDiffLine : () => 'added');
}

function styleOfDiffLine(text: string): CardLine['style'] {
  if (/^(---|\+\+\+|@@) /.test(text)) return 'context';
  return text.startsWith('+') ? 'added' : text.startsWith('-') ? 'removed' : 'context';
}
