import type { AccountView, Hub } from '../../hub/hub.ts';
import { unknownWord } from '../failures.ts';
import { checkServers } from './models.ts';

/**
 * `--account work` is for every server with an account of that name, `github=work` for one. An account that
 * is not there is an error: a misspelt one must not act as somebody else.
 */
export async function findAccounts(
  hub: Hub,
  given: readonly string[] = [],
  servers?: readonly string[],
): Promise<Readonly<Record<string, string>> | undefined> {
  if (given.length === 0) return undefined;
  const known = await hub.accounts.list();
  const used = servers === undefined ? known : known.filter(({ server }) => servers.includes(server));
  const chosen = new Map<string, string>();
  // A server that is named wins over a name for all of them.
  for (const text of given.toSorted((one, other) => Number(isFor(one)) - Number(isFor(other)))) {
    const found = isFor(text) ? await ofOneServer(hub, text, known) : ofAll(text, used);
    for (const { server, account } of found) chosen.set(server, account);
  }
  return Object.fromEntries(chosen);
}

function isFor(text: string): boolean {
  return text.includes('=');
}

function ofAll(name: string, known: readonly AccountView[]): readonly AccountView[] {
  const found = known.filter(({ account }) => account === name);
  if (found.length > 0) return found;
  throw unknownWord(`No server that is used has an account “${name}”.`, {
    word: name,
    known: [...new Set(known.map(({ account }) => account))],
    remedy: { do: 'choose-account' },
  });
}

async function ofOneServer(
  hub: Hub,
  text: string,
  known: readonly AccountView[],
): Promise<readonly AccountView[]> {
  const at = text.indexOf('=');
  const name = text.slice(at + 1);
  const [server = ''] = await checkServers(hub, [text.slice(0, at)]);
  const own = known.filter((one) => one.server === server);
  const found = own.filter(({ account }) => account === name);
  if (found.length > 0) return found;
  throw unknownWord(`${server} has no account “${name}”.`, {
    word: name,
    known: own.map(({ account }) => account),
    remedy: { do: 'choose-account', server },
  });
}
