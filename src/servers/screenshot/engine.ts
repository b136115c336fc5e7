import type { Page, Worker } from 'tesseract.js';
import { PlugError } from '../../base/errors.ts';
import { inflateSync } from 'node:zlib';

export interface Engine {
  unpack(image: Uint8Array): Promise<Pixels>;
  readLine(image: Uint8Array): Promise<ReadLine>;
  close(): Promise<void>;
}

export interface ReadLine {
  readonly text: string;
  readonly confidence: number;
  readonly symbols: readonly {
    readonly char: string;
    readonly left: number;
    readonly right: number;
    readonly confidence: number;
  }[];
}

/** In other modes the engine guesses at columns and paragraphs. */
const SINGLE_LINE = '7';
const LSTM_ONLY = 1;

/** `languageFolder` must be a path: for a URL, or none, the engine would use the network. */
export async function startEngine(languageFolder: string): Promise<Engine> {
  const { createWorker } = await import('tesseract.js');
  const worker = await createWorker('eng', LSTM_ONLY, {
    langPath: languageFolder,
    cacheMethod: 'none',
    gzip: true,
    // Without a handler the engine throws uncaught; every call rejects as well.
    errorHandler: () => undefined,
  });
  await worker.setParameters({ tessedit_pageseg_mode: SINGLE_LINE as never });
  return {
    unpack: (image) => unpack(worker, image),
    readLine: (image) => readLine(worker, image),
    close: async () => {
      await worker.terminate();
    },
  };
}

async function unpack(worker: Worker, image: Uint8Array): Promise<Pixels> {
  const page = await run(worker, image, { imageColor: true, text: false });
  const png = Buffer.from(page.imageColor?.split(',')[1] ?? '', 'base64');
  const pixels = readEnginePng(png);
  if (!pixels) throw damaged();
  return pixels;
}

async function readLine(worker: Worker, image: Uint8Array): Promise<ReadLine> {
  const page = await run(worker, image, { text: true, blocks: true });
  const symbols = (page.blocks ?? [])
    .flatMap(({ paragraphs }) => paragraphs)
    .flatMap(({ lines }) => lines)
    .flatMap(({ words }) => words)
    .flatMap((word) => word.symbols)
    .map(({ text, bbox, confidence }) => ({ char: text, left: bbox.x0, right: bbox.x1, confidence }));
  return { text: page.text.trim(), confidence: page.confidence, symbols };
}

async function run(worker: Worker, image: Uint8Array, output: Record<string, boolean>): Promise<Page> {
  try {
    // The engine copies it; Buffer is its declared type.
    const { data } = await worker.recognize(Buffer.from(image), {}, output);
    return data;
  } catch (error) {
    throw damaged(error);
  }
}

function damaged(cause?: unknown): PlugError {
  const message = 'The picture is damaged: it starts like a PNG or JPEG but cannot be unpacked.';
  const remedy = 'Take the screenshot again, or paste the text itself.';
  return new PlugError('usage', message, { owner: 'you', remedy, cause });
}

export interface Pixels {
  readonly width: number;
  readonly height: number;
  /** 1 (gray) or 3 (RGB) bytes per pixel, row by row. */
  readonly channels: 1 | 3;
  readonly data: Uint8Array;
}

/** Only for the engine's own output (8-bit gray or RGB, not interlaced): foreign pictures are decoded in WebAssembly. */
function readEnginePng(png: Uint8Array): Pixels | undefined {
  const view = new DataView(png.buffer, png.byteOffset, png.byteLength);
  if (png.length < 33) return undefined;
  const width = view.getUint32(16);
  const height = view.getUint32(20);
  const channels = png[25] === 0 ? 1 : 3;
  if (png[24] !== 8 || (png[25] !== 0 && png[25] !== 2) || png[28] !== 0) return undefined;
  const packed: Uint8Array[] = [];
  for (let at = 8; at + 12 <= png.length;) {
    const length = view.getUint32(at);
    if (view.getUint32(at + 4) === IDAT) packed.push(png.subarray(at + 8, at + 8 + length));
    at += 12 + length;
  }
  const stride = width * channels;
  const raw = inflateSync(Buffer.concat(packed), { maxOutputLength: (stride + 1) * height });
  return { width, height, channels, data: unfilter(raw, stride, height, channels) };
}

const IDAT = 0x49444154;

/** The five PNG row filters (section 9 of the specification). */
function unfilter(raw: Uint8Array, stride: number, height: number, channels: number): Uint8Array {
  const out = new Uint8Array(stride * height);
  for (let row = 0; row < height; row += 1) {
    const filter = raw[row * (stride + 1)] ?? 0;
    const from = row * (stride + 1) + 1;
    const to = row * stride;
    for (let x = 0; x < stride; x += 1) {
      const left = x < channels ? 0 : (out[to + x - channels] ?? 0);
      const up = row === 0 ? 0 : (out[to + x - stride] ?? 0);
      const corner = x < channels || row === 0 ? 0 : (out[to + x - stride - channels] ?? 0);
      out[to + x] = (raw[from + x] ?? 0) + predict(filter, left, up, corner);
    }
  }
  return out;
}

function predict(filter: number, left: number, up: number, corner: number): number {
  if (filter === 1) return left;
  if (filter === 2) return up;
  if (filter === 3) return (left + up) >> 1;
  if (filter !== 4) return 0;
  const [a, b, c] = [Math.abs(up - corner), Math.abs(left - corner), Math.abs(left + up - 2 * corner)];
  return a <= b && a <= c ? left : b <= c ? up : corner;
}
