import { isObject } from '../base/json.ts';
import { ACTIONS, REQUESTERS, RISKS } from './rules/rule.ts';

/** Types are gone at run time, and a face may be wrong. */
export function problemOf(question: unknown): string | undefined {
  if (!isObject(question)) return 'There is no question.';
  const { action, principal, requester, now, server } = question;
  if (!isOneOf(ACTIONS, action)) return 'The action is not known.';
  if (!isText(principal)) return 'Nobody is named for whom it is asked.';
  if (
    !isObject(requester) ||
    !isOneOf(REQUESTERS, requester['kind']) ||
    typeof requester['id'] !== 'string'
  ) {
    return 'The requester is not known.';
  }
  if (typeof now !== 'number' || !Number.isFinite(now)) return 'The time is not known.';
  if (!isServer(server)) return 'The server is not known.';
  return action === 'call' ? problemOfCall(question) : undefined;
}

const TRUSTS = ['none', 'session', 'kept'] as const;

function problemOfCall({ account, tool, args, origins }: Record<string, unknown>): string | undefined {
  if (account !== undefined && !(isObject(account) && isText(account['id']) && isText(account['name']))) {
    return 'The account is not known.';
  }
  if (!isObject(tool) || !isText(tool['name']) || !isText(tool['hash'])) return 'The tool is not known.';
  if (!isOneOf(RISKS, tool['risk'])) return 'The risk of the tool is not known.';
  const flags = tool['flags'];
  if (!Array.isArray(flags) || !flags.every(isObject) || typeof tool['quarantined'] !== 'boolean') {
    return 'It is not known whether anything speaks against the tool.';
  }
  if (!isObject(args)) return 'The arguments are not an object.';
  if (!Array.isArray(origins) || !origins.every(isOrigin)) {
    return 'It is not known where the arguments come from.';
  }
  return undefined;
}

function isServer(server: unknown): boolean {
  return (
    isObject(server) &&
    isText(server['id']) &&
    isText(server['key']) &&
    isText(server['fingerprint']) &&
    isOneOf(TRUSTS, server['trust'])
  );
}

function isOrigin(origin: unknown): boolean {
  return isObject(origin) && isText(origin['server']) && typeof origin['tool'] === 'string';
}

function isText(value: unknown): boolean {
  return typeof value === 'string' && value !== '';
}

function isOneOf(words: readonly string[], value: unknown): boolean {
  return typeof value === 'string' && words.includes(value);
}
