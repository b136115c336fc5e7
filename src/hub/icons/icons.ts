import { timeoutSignal, type Clock } from '../../base/clock.ts';
import { ignore } from '../../base/errors.ts';
import type { Limits } from '../../base/limits.ts';
import type { FetchPort } from '../../servers/registry/registry.ts';
import type { ServerIcon } from '../hub.ts';
import { readImageHeader } from '../../servers/screenshot/image-format.ts';

interface IconsOptions {
  /** Reaches the public internet alone, and follows no redirects. */
  readonly fetch: FetchPort;
  readonly clock: Clock;
  readonly limits: Limits;
}

interface Kept {
  readonly icon: Promise<ServerIcon>;
  readonly until: number;
}

/** Pictures that servers declare for themselves, fetched here so that no browser tells a server who looks. */
export class Icons {
  readonly #options: IconsOptions;
  readonly #kept = new Map<string, Kept>();

  constructor(options: IconsOptions) {
    this.#options = options;
  }

  async get(declared: readonly string[]): Promise<ServerIcon> {
    for (const src of declared) {
      const icon = await this.#one(src);
      if (icon.data !== undefined) return icon;
    }
    return {};
  }

  #one(src: string): Promise<ServerIcon> {
    const { clock, limits } = this.#options;
    const known = this.#kept.get(src);
    if (known && known.until > clock.monotonic()) return known.icon;
    const icon = this.#load(src);
    this.#kept.delete(src);
    this.#kept.set(src, { icon, until: clock.monotonic() + limits.iconKeptMs });
    for (const [oldest] of this.#kept) {
      if (this.#kept.size <= limits.iconsKeptMax) break;
      this.#kept.delete(oldest);
    }
    return icon;
  }

  /** Any failure means no picture. */
  async #load(src: string): Promise<ServerIcon> {
    try {
      const bytes = src.startsWith('https:') ? await this.#fetch(src) : fromData(src);
      const mimeType = pictureKind(bytes);
      const { iconBytesMax, iconPixelsMax } = this.#options.limits;
      if (mimeType === undefined || bytes.length > iconBytesMax) return {};
      if (!(pixelsOf(bytes, mimeType) <= iconPixelsMax)) return {};
      return { mimeType, data: Buffer.from(bytes).toString('base64') };
    } catch {
      return {};
    }
  }

  async #fetch(src: string): Promise<Uint8Array> {
    const { fetch, limits } = this.#options;
    const signal = timeoutSignal(limits.iconTimeoutMs);
    const answer = await fetch(src, { signal, redirect: 'error', headers: { accept: 'image/*' } });
    if (answer.ok) return await answer.bytes();
    ignore(answer.body?.cancel() ?? Promise.resolve(), 'it is not read');
    return new Uint8Array();
  }
}

function fromData(src: string): Uint8Array {
  return Buffer.from(src.slice(src.indexOf(',') + 1), 'base64');
}

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

/** How many pixels a picture says it has; not a number when it does not say so where it should. */
function pixelsOf(bytes: Uint8Array, kind: NonNullable<ServerIcon['mimeType']>): number {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  try {
    if (kind === 'image/gif') return area(view.getUint16(6, true), view.getUint16(8, true));
    if (kind === 'image/webp') return webpPixels(view);
    const header = readImageHeader(bytes);
    return header ? area(header.width, header.height) : Number.NaN;
  } catch {
    return Number.NaN; // it ends before it says so
  }
}

function area(width: number, height: number): number {
  return width > 0 && height > 0 ? width * height : Number.NaN;
}

/** One of three ways to pack it, each with its size in another place (RFC 9649). */
function webpPixels(view: DataView): number {
  const way = view.getUint32(12);
  if (way === VP8X) {
    return area((view.getUint32(24, true) & 0xff_ff_ff) + 1, (view.getUint32(26, true) >>> 8) + 1);
  }
  if (way === VP8L) {
    const bits = view.getUint32(21, true);
    return area((bits & 0x3f_ff) + 1, ((bits >>> 14) & 0x3f_ff) + 1);
  }
  return way === VP8
    ? area(view.getUint16(26, true) & 0x3f_ff, view.getUint16(28, true) & 0x3f_ff)
    : Number.NaN;
}

const VP8 = 0x56_50_38_20;
const VP8L = 0x56_50_38_4c;
const VP8X = 0x56_50_38_58;
