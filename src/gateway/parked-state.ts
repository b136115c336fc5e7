import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { isObject } from '../base/json.ts';

/** What a host carries for us from one round of a call to the next. */
export interface ParkedState {
  readonly call: string;
  readonly round: number;
  readonly principal: string;
  /** In epoch milliseconds. */
  readonly expiresAt: number;
}

/**
 * Seals it: a host can neither read nor change it, and one that was sealed by another hub, or
 * before a restart, does not open. The key lives as long as the calls that it speaks of.
 */
export class StateSeal {
  readonly #key = randomBytes(32);

  seal(state: ParkedState): string {
    const iv = randomBytes(IV_BYTES);
    const cipher = createCipheriv(CIPHER, this.#key, iv);
    const body = Buffer.concat([cipher.update(JSON.stringify(state), 'utf8'), cipher.final()]);
    return Buffer.concat([iv, cipher.getAuthTag(), body]).toString('base64url');
  }

  open(text: string): ParkedState | undefined {
    const bytes = Buffer.from(text, 'base64url');
    // The same bytes written otherwise are not what we gave.
    if (bytes.length <= IV_BYTES + TAG_BYTES || bytes.toString('base64url') !== text) return undefined;
    const decipher = createDecipheriv(CIPHER, this.#key, bytes.subarray(0, IV_BYTES));
    decipher.setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
    try {
      const body = Buffer.concat([decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES)), decipher.final()]);
      const state: unknown = JSON.parse(body.toString('utf8'));
      // What opens was sealed here, so that it has this shape.
      return isObject(state) ? (state as unknown as ParkedState) : undefined;
    } catch {
      return undefined; // it was changed on its way, or sealed by somebody else
    }
  }
}

const CIPHER = 'aes-256-gcm';
const IV_BYTES = 12;
const TAG_BYTES = 16;
