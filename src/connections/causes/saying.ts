import type { ErrorCode, Owner } from '../../base/errors.ts';
import { remedyOf } from '../../base/remedy-command.ts';
import type { Remedy } from '../../base/remedy.ts';
import type { CauseContext, KnownCause } from './known-causes.ts';

/** The wording of a program, and the cause behind it. */
export interface Saying {
  readonly pattern: RegExp;
  readonly means: (found: readonly (string | undefined)[], where: CauseContext) => KnownCause;
}

export function cause(code: ErrorCode, owner: Owner, says: string, remedy: Remedy | string): KnownCause {
  return { says, cause: code, owner, remedy: remedyOf(remedy) };
}

export function yours(code: ErrorCode, says: string, remedy: Remedy | string): KnownCause {
  return cause(code, 'you', says, remedy);
}

export function network(says: string, remedy: Remedy | string): KnownCause {
  return cause('unreachable', 'network', says, remedy);
}
