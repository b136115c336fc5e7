import { namesSecret } from '../../base/secret-names.ts';

/** `API_KEY` does, `TOKEN_LIMIT` and `AUTH_URL` don't. */
export function asksForSecret(name: string): boolean {
  return CONNECTION.test(name) || (namesSecret(name) && !ABOUT.test(name));
}

/** Certain, even if the publisher says otherwise. */
export function surelySecret(name: string): boolean {
  return /(token|password|api[-_]?key|access[-_]?key|secret|[-_]pat)$/i.test(name);
}

/** Database URLs carry the password. */
const CONNECTION = /(connection[-_ ]?(string|ur[li])|database[-_ ]?ur[li]|dsn)$/i;

/** Names about a secret, not of one. */
const ABOUT =
  /(limit|max|min|count|size|ttl|expiry|expires|timeout|budget|ur[li]|endpoint|host|path|file|dir|folder|name|user|id|type|kind|mode|method|algorithm|enabled|disabled|header|prefix|scopes?|required|region|provider|location)$/i;

/** `ALLOWED_DIR`, `allowed-directory`: a place on this machine that a person picks. */
export function namesFolder(name: string): boolean {
  return /(?:^|[^a-z])(?:dir|dirs|director(?:y|ies)|folders?)$/i.test(name);
}
