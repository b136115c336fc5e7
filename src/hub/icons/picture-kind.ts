import type { ServerIcon } from '../hub.ts';

/** What the first bytes say, whatever the sender calls it. A drawing with a script in it is none of these. */
export function pictureKind(bytes: Uint8Array): ServerIcon['mimeType'] {
  const head = Buffer.from(bytes.subarray(0, HEAD_BYTES)).toString('latin1');
  if (head.startsWith('\u0089PNG\r\n\u001a\n')) return 'image/png';
  if (head.startsWith('\u00ff\u00d8\u00ff')) return 'image/jpeg';
  if (head.startsWith('GIF87a') || head.startsWith('GIF89a')) return 'image/gif';
  if (head.startsWith('RIFF') && head.slice(8, 12) === 'WEBP') return 'image/webp';
  return undefined;
}

const HEAD_BYTES = 12;
