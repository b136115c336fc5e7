import { namesSecret } from '../../base/secret-names.ts';

/** Whether a field of this name asks for a secret: `API_KEY` does, `TOKEN_LIMIT` and `AUTH_URL` do not. */
export function asksForSecret(name: string): boolean {
  return CONNECTION.test(name) || (namesSecret(name) && !ABOUT.test(name));
}

/** Names that leave no doubt, also where a publisher says that it is no secret. */
export function surelySecret(name: string): boolean {
  return /(token|password|api[-_]?key|access[-_]?key|secret|[-_]pat)$/i.test(name);
}

/** Addresses of databases carry the password. */
const CONNECTION = /(connection[-_ ]?(string|ur[li])|database[-_]?ur[li]|dsn)$/i;

/** Endings of names that say something about a secret without being one. */
const ABOUT =
  /(limit|max|min|count|size|ttl|expiry|expires|timeout|budget|ur[li]|endpoint|host|path|file|dir|folder|name|user|id|type|kind|mode|method|algorithm|enabled|disabled|header|prefix|scopes?|required|region|provider|location)$/i;
