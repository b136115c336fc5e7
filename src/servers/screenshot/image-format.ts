export interface ImageHeader {
  readonly format: 'png' | 'jpeg';
  readonly width: number;
  readonly height: number;
}

export function looksLikeImage(bytes: Uint8Array): boolean {
  return formatOf(bytes) !== undefined;
}

export function readImageHeader(bytes: Uint8Array): ImageHeader | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const format = formatOf(bytes);
  if (format === 'jpeg') return readJpegHeader(view);
  if (format === undefined || bytes.length < 24) return undefined;
  return { format, width: view.getUint32(16), height: view.getUint32(20) };
}

const PNG = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];
const JPEG = [0xff, 0xd8, 0xff];

function formatOf(bytes: Uint8Array): 'png' | 'jpeg' | undefined {
  if (PNG.every((byte, at) => bytes[at] === byte)) return 'png';
  if (JPEG.every((byte, at) => bytes[at] === byte)) return 'jpeg';
  return undefined;
}

function readJpegHeader(view: DataView): ImageHeader | undefined {
  let at = 2;
  while (at + 9 <= view.byteLength) {
    if (view.getUint8(at) !== 0xff) return undefined;
    const marker = view.getUint8(at + 1);
    if (marker === 0xff) {
      at += 1;
      continue;
    }
    // C4, C8 and CC are tables; other markers from C0 to CF start a frame.
    const frame = marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
    if (frame) return { format: 'jpeg', height: view.getUint16(at + 5), width: view.getUint16(at + 7) };
    at += 2 + view.getUint16(at + 2);
  }
  return undefined;
}
