import { defined } from '../../base/defined.ts';
import { type ErrorCode, type Owner, PlugError } from '../../base/errors.ts';
import type { Remedy } from '../../base/remedy.ts';
import type { WantedPackage } from './packaged-run.ts';

/** Why a package manager did not install a package, by the code that it or the system names. */
export function installFailure(
  { name, version }: Pick<WantedPackage, 'name' | 'version'>,
  manager: string,
  { code: known, says, cause }: { readonly code?: string; readonly says: string; readonly cause?: unknown },
): PlugError {
  const { code, owner, remedy, what } =
    CAUSES.find(({ codes }) => codes.includes(known ?? ''))?.failure ?? OTHER;
  const why =
    what ??
    says
      .replace(/^npm error\s+/, '')
      .replace(/\.+$/, '')
      .slice(0, SAID_CHARS_MAX);
  const message = `${manager} couldn't install ${name} ${version}: ${why}. Nothing was kept.`;
  return new PlugError(code, message, {
    owner,
    cause,
    details: defined({ package: name, version, managerCode: known, said: says.slice(0, SAID_CHARS_MAX) }),
    ...(remedy === undefined ? {} : { remedy }),
  });
}

const SAID_CHARS_MAX = 300;

interface Failure {
  readonly code: ErrorCode;
  readonly owner: Owner;
  readonly remedy?: Remedy;
  readonly what?: string;
}

const say = (text: string): Remedy => ({ do: 'say', text });

const OTHER: Failure = { code: 'start_failed', owner: 'registry' };
const NETWORK: Failure = {
  code: 'unreachable',
  owner: 'network',
  remedy: say('Check the network and the registry that npm is configured for, then try again.'),
};
const FULL: Failure = {
  code: 'storage_failed',
  owner: 'you',
  what: 'the disk is full',
  remedy: say('Make room on the disk, then try again.'),
};
const REPLACED: Failure = {
  code: 'denied',
  owner: 'registry',
  what: 'the download doesn’t match the registry’s checksum',
  remedy: say('Try again; if it stays so, tell the maker of the package.'),
};
const MISSING: Failure = { code: 'not_found', owner: 'registry' };
const SIGN_IN: Failure = {
  code: 'unreachable',
  owner: 'you',
  remedy: say('Sign in to the registry with npm login, or correct the token in your .npmrc.'),
};

const CAUSES: readonly { readonly codes: readonly string[]; readonly failure: Failure }[] = [
  { codes: ['ENOSPC', 'EDQUOT'], failure: FULL },
  { codes: ['EINTEGRITY'], failure: REPLACED },
  { codes: ['E404', 'ETARGET', 'ENOVERSIONS'], failure: MISSING },
  { codes: ['E401', 'E403', 'ENEEDAUTH'], failure: SIGN_IN },
  {
    codes: [
      'ENOTFOUND',
      'EAI_AGAIN',
      'ECONNREFUSED',
      'ECONNRESET',
      'ETIMEDOUT',
      'ENETUNREACH',
      'EHOSTUNREACH',
      'ERR_SOCKET_TIMEOUT',
      'FETCH_ERROR',
      'ENOTCACHED',
      'E500',
      'E502',
      'E503',
      'E504',
      'EPROTO',
      'SELF_SIGNED_CERT_IN_CHAIN',
      'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
      'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
      'CERT_HAS_EXPIRED',
    ],
    failure: NETWORK,
  },
];
