import type { Pixels } from './png.ts';

/** How much ink lies on each pixel, 0 to 255, whatever the colours were. */
export interface Ink {
  readonly width: number;
  readonly height: number;
  readonly data: Uint8Array;
}

/**
 * Turns a picture into ink on blank paper: the distance from the background's colour, so that
 * dark themes and syntax colours read alike. Indent guides and frames are too faint to count.
 */
export function inkOf(pixels: Pixels): Ink {
  const { width, height, channels, data } = pixels;
  const distance = new Uint8Array(width * height);
  for (const [from, to] of bandsOf(height)) {
    const paper = commonColour(data.subarray(from * width * channels, to * width * channels), channels);
    for (let at = from * width; at < to * width; at += 1) {
      let most = 0;
      for (let channel = 0; channel < channels; channel += 1) {
        most = Math.max(most, Math.abs((data[at * channels + channel] ?? 0) - (paper[channel] ?? 0)));
      }
      distance[at] = most;
    }
  }
  return stretch({ width, height, data: distance });
}

/** Backgrounds change down a picture (a tab bar, a code block): each band has its own. */
function bandsOf(height: number): (readonly [number, number])[] {
  const rows = 12;
  return Array.from({ length: Math.ceil(height / rows) }, (_, index) => [index * rows, Math.min(height, (index + 1) * rows)] as const);
}

function commonColour(data: Uint8Array, channels: number): readonly number[] {
  const counts = new Map<number, number>();
  for (let at = 0; at + channels <= data.length; at += channels) {
    const key = channels === 1 ? (data[at] ?? 0) : ((data[at] ?? 0) << 16) | ((data[at + 1] ?? 0) << 8) | (data[at + 2] ?? 0);
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  let best = 0;
  let most = -1;
  for (const [key, count] of counts) {
    if (count > most) [best, most] = [key, count];
  }
  return channels === 1 ? [best] : [best >> 16, (best >> 8) & 255, best & 255];
}

/** Below this distance there is no ink: guides, frames and highlights are fainter than any text. */
const FAINT = 40;
/** Text fainter than this is not pulled up to full black, or noise would become letters. */
const FLOOR = 70;

/** Pulls every glyph to full black by the strongest ink around it, so that colours do not matter. */
function stretch({ width, height, data }: Ink): Ink {
  const around = maximum(maximum(data, width, height, 3, 1), width, height, 5, width);
  const out = new Uint8Array(data.length);
  for (let at = 0; at < data.length; at += 1) {
    const ink = data[at] ?? 0;
    const full = Math.max(FLOOR, around[at] ?? 0);
    const faint = Math.min(FAINT, full * 0.4);
    out[at] = ink <= faint ? 0 : Math.min(255, ((ink - faint) * 255) / (full - faint));
  }
  return { width, height, data: out };
}

/** The strongest value within `radius` along rows (step 1) or columns (step width). */
function maximum(data: Uint8Array, width: number, height: number, radius: number, step: number): Uint8Array {
  const out = new Uint8Array(data.length);
  const along = step === 1 ? width : height;
  const lines = step === 1 ? height : width;
  for (let line = 0; line < lines; line += 1) {
    const base = step === 1 ? line * width : line;
    for (let at = 0; at < along; at += 1) {
      let most = 0;
      for (let near = Math.max(0, at - radius); near <= Math.min(along - 1, at + radius); near += 1) {
        const value = data[base + near * step] ?? 0;
        if (value > most) most = value;
      }
      out[base + at * step] = most;
    }
  }
  return out;
}
