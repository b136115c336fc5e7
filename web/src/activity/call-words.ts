import { PAGE_HOST } from '../approvals/approval-words.ts';
import type { AuditRecord } from '../hub/hub-context.tsx';

/** Who asked, as the hub's filter names it. */
export function appOf({ kind, name, id }: AuditRecord['requester']): string {
  return kind === 'person' ? 'person' : (name ?? id);
}

/** The same in a word or two. */
export function appWords({ kind, name, id }: AuditRecord['requester']): string {
  if (kind === 'person') return 'you';
  return name === PAGE_HOST ? 'your chat' : (name ?? id);
}

/** What the hub's filter names, as a label. */
export function appLabel(app: string): string {
  if (app === 'person') return 'You';
  return app === PAGE_HOST ? 'Your chat' : app;
}

/** Who asked, as a person would say it. */
export function requesterWords({ requester: { kind, name, id } }: AuditRecord): string {
  if (kind === 'person') return 'You';
  if (name === PAGE_HOST) return 'The model in your chat';
  return `${name ?? id} (${kind === 'host' ? 'an app' : 'a program'})`;
}

/** What was decided, and by what. */
export function decisionWords({ effect, by, approval }: AuditRecord): string {
  const asked = approval === undefined ? 'It needed approval' : 'You were asked';
  const what = { allow: 'Allowed', ask: asked, deny: 'Refused' }[effect];
  switch (by.kind) {
    case 'rule':
      return `${what} by the rule “${by.name}”`;
    case 'data_rule':
      return `${what} by the rule “${by.name}”: it carries what came from ${by.origin.server}`;
    case 'grant':
      return `${what} by a grant`;
    case 'trust':
      return `${what}: you trust this server`;
    case 'default':
      return `${what} by default: ${DEFAULTS[by.path] ?? by.path}`;
    case 'quarantine':
      return `${what}: the tool has changed since it was approved`;
    case 'read_only':
      return `${what}: only read-only tools can run (read-only mode)`;
    case 'flag':
      return `${what}: this tool was flagged`;
    case 'consent':
      return `${what}: you sent its form`;
    case 'undecidable':
      break;
  }
  return `${what}: it could not be decided (${by.problem})`;
}

/** The rows of Defaults, by the path of each in the rules. */
const DEFAULTS: Readonly<Record<string, string>> = {
  'call.read': 'read-only tools',
  'call.write': 'tools that write',
  'call.destructive': 'destructive tools',
  'call.unknown': 'tools of unknown risk',
  connect: 'connecting to a server',
  list: 'showing tools to a model',
};

export function approvalWords({ outcome, answeredBy, edited }: NonNullable<AuditRecord['approval']>): string {
  const words = {
    allowed: 'Allowed',
    denied: 'Denied',
    unanswered: 'Not answered in time',
    withdrawn: 'Withdrawn before it was answered',
  };
  const by =
    answeredBy === undefined
      ? ''
      : ` by ${ANSWERED_ON_PAGE.test(answeredBy) ? 'you on the page' : answeredBy}`;
  return `${words[outcome]}${by}${edited === true ? ', with edited arguments' : ''}`;
}

/** A page is known by an id, which tells a person nothing. */
const ANSWERED_ON_PAGE = /^page\b/;
