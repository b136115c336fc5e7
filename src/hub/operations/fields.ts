import { isObject, type JsonObject } from '../../base/json.ts';
import type { Zod } from './operation.ts';

export const serverId = (z: Zod) => z.string().min(1).max(64);
export const oneServer = (z: Zod) => ({ id: serverId(z) });
export const ofServer = (z: Zod) => ({ server: serverId(z).exactOptional() });

/** An id that the hub has made: of a grant, an approval, a result. */
export const madeId = (z: Zod) => z.string().min(1).max(128);
export const one = (z: Zod) => ({ id: madeId(z) });

/** `server/tool`, or any form in which the name was rendered. */
export const toolRef = (z: Zod) => z.string().min(1).max(512);
export const profileName = (z: Zod) => z.string().max(128);
export const accountName = (z: Zod) => z.string().min(1).max(128);
export const host = (z: Zod) => z.string().max(128);
export const flag = (z: Zod) => z.boolean().exactOptional();
export const count = (z: Zod) => z.number().int().nonnegative();
export const timeoutMs = (z: Zod) => z.number().int().positive();
export const passphrase = (z: Zod) => z.string().min(1).max(1_024);
/** Ours for a model or a registry. */
export const shortName = (z: Zod) => z.string().min(1).max(64);
export const byShortName = (z: Zod) => ({ name: shortName(z) });
export const url = (z: Zod) => z.string().max(2_048);
export const text = (z: Zod) => z.string().max(2 * 1024 * 1024);

/** Any JSON object, taken as it is: what a tool receives is not ours to walk through. */
export const jsonObject = (z: Zod) =>
  z
    .custom<JsonObject>(isObject, { error: 'must be an object' })
    .meta({ type: 'object', additionalProperties: true });
