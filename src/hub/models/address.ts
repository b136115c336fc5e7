import { isIP } from 'node:net';
import { PlugError } from '../../base/errors.ts';
import { publicOnly, type AddressGuard } from '../../connections/http/address-guard.ts';
import type { StoredModel } from '../../vault/models.ts';
import { LOCAL, localServer, modelLimits, PROVIDERS } from './providers.ts';

export function addressOf({ provider, url }: Pick<StoredModel, 'provider' | 'url'>): URL {
  const text = url ?? PROVIDERS[provider].url;
  if (text === undefined) {
    throw usage(
      'A model that is “compatible” needs an address.',
      `Add --url https://…/v1, or say which program it is: ${Object.keys(LOCAL).join(', ')}.`,
    );
  }
  return checkedAddress(localServer(text)?.url ?? text);
}

/** Plain http can be read on the way: it is not used beyond the own network. */
export const privateOnly: AddressGuard = (ip) =>
  publicOnly(ip) === undefined ? `${ip} is on the public internet, where plain http can be read.` : undefined;

/** Without a slash at its end, so that paths can be added. */
export function writtenAddress(address: URL): string {
  return address.href.replace(/\/+$/, '');
}

function checkedAddress(text: string): URL {
  const shown = text.slice(0, 80);
  if (!URL.canParse(text) || text.length > modelLimits.urlCharsMax) {
    throw usage(`“${shown}” isn’t a URL.`, 'Write it whole, such as https://models.example.com/v1.');
  }
  const address = new URL(text);
  if (address.protocol !== 'https:' && address.protocol !== 'http:') {
    throw usage('A model’s URL starts with https:// or http://.', 'Correct --url.');
  }
  // What stands there is not repeated: it is what should not have been typed.
  if (address.username !== '' || address.password !== '' || address.search !== '' || address.hash !== '') {
    throw usage(
      'A model’s URL can’t contain a user name, password, query or fragment.',
      'Give the URL up to its path, and the key with --key.',
    );
  }
  // Only a literal can be judged here; a name is judged when it is dialed.
  const host = address.hostname.replaceAll(/^\[|\]$/g, '');
  const refused = address.protocol === 'http:' && isIP(host) !== 0 ? privateOnly(host) : undefined;
  if (refused !== undefined) throw usage(refused, 'Use https:// there.');
  return address;
}

export function usage(message: string, remedy: string): PlugError {
  return new PlugError('usage', message, { owner: 'you', remedy });
}
