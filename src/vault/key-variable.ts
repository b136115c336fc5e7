import type { KeyObject } from 'node:crypto';
import { PlugError } from '../base/errors.ts';
import { KEY_BYTES, keyFrom } from './seal.ts';

export const MASTER_KEY_VARIABLE = 'PLUG_MASTER_KEY';

/** 32 bytes in base64 or hexadecimal. An error never repeats the value. */
export function readMasterKeyVariable(
  env: Readonly<Record<string, string | undefined>>,
): KeyObject | undefined {
  const text = env[MASTER_KEY_VARIABLE]?.trim();
  if (text === undefined || text === '') return undefined;
  const bytes = /^[0-9a-f]{64}$/i.test(text) ? Buffer.from(text, 'hex') : fromBase64(text);
  if (bytes?.length === KEY_BYTES) return keyFrom(bytes);
  throw new PlugError('bad_config', `${MASTER_KEY_VARIABLE} is not a key of ${KEY_BYTES} bytes.`, {
    owner: 'you',
    remedy: `Make one: openssl rand -base64 ${KEY_BYTES}`,
    ...(bytes ? { details: { bytes: bytes.length } } : {}),
  });
}

/** Node skips characters that aren't base64, so a typo would go unnoticed. */
function fromBase64(text: string): Buffer | undefined {
  return /^[A-Za-z0-9+/_-]+={0,2}$/.test(text) ? Buffer.from(text, 'base64') : undefined;
}
