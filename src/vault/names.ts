import { PlugError } from '../base/errors.ts';
import { limits } from '../base/limits.ts';
import { checkServerId, isServerId } from '../servers/definition.ts';

/** One record for each field of each account. The name is derived, so that no one has to invent it. */
export function secretName(of: {
  readonly server: string;
  readonly account?: string;
  readonly field: string;
}): string {
  checkServerId(of.server);
  if (of.account !== undefined) checkAccount(of.account);
  if (!FIELD.test(of.field)) throw badName(of.field);
  return [of.server, ...(of.account === undefined ? [] : [of.account]), of.field].join('/');
}

/** The server and account that a secret belongs to; none for a name without a slash. */
export function ownersOf(name: string): { readonly server?: string; readonly account?: string } {
  const [server = '', second = '', ...rest] = name.split('/');
  if (second === '' || !isServerId(server)) return {};
  return rest.length > 0 ? { server, account: second } : { server };
}

export function fieldOf(name: string): string {
  return name.slice(name.lastIndexOf('/') + 1);
}

export function checkSecretName(name: string): void {
  if (NAME.test(name) && name.length <= limits.vaultNameCharsMax) return;
  throw badName(name);
}

export function checkAccount(account: string): void {
  if (ACCOUNT.test(account)) return;
  throw new PlugError('usage', `“${account.slice(0, 80)}” cannot be an account's name.`, {
    owner: 'you',
    remedy:
      'Use 1 to 64 letters, digits, dots, dashes, underscores and @, starting with a letter or a digit.',
  });
}

/** Every name fits into a `${vault:…}` placeholder. */
const NAME = /^[A-Za-z0-9_][A-Za-z0-9_./:@-]*$/;
const FIELD = /^[A-Za-z0-9_][A-Za-z0-9_.:@-]{0,127}$/;
const ACCOUNT = /^[A-Za-z0-9_][A-Za-z0-9_.@-]{0,63}$/;

function badName(name: string): PlugError {
  return new PlugError('usage', `“${name.slice(0, 80)}” cannot be a secret's name.`, {
    owner: 'you',
    remedy:
      'Use letters, digits, dots, dashes, underscores, slashes, colons and @, starting with a letter or a digit.',
  });
}
