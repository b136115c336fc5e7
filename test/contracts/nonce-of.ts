/** The nonce of a sealed value, which must never occur twice under one key: twelve bytes after the format's. */
export function nonceOf(sealed: string): string {
  return Buffer.from(sealed, 'base64url').subarray(1, 13).toString('hex');
}
