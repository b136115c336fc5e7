import type { Page, Worker } from 'tesseract.js';
import { PlugError } from '../../base/errors.ts';
import { readEnginePng, type Pixels } from './png.ts';

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
  return new PlugError(
    'usage',
    'The picture is damaged: it starts like a PNG or JPEG but cannot be unpacked.',
    {
      owner: 'you',
      remedy: 'Take the screenshot again, or paste the text itself.',
      cause,
    },
  );
}
