import type { Pixels } from './engine.ts';

/** Ink per pixel, 0 to 255, independent of color. */
export interface Ink {
  readonly width: number;
  readonly height: number;
  readonly data: Uint8Array;
}

/** Distance from the background color, so that dark themes read alike; guides and frames are too faint. */
export function inkOf(pixels: Pixels): Ink {
  const { width, height, channels, data } = pixels;
  const distance = new Uint8Array(width * height);
  const stride = width * channels;
  for (let y = 0; y < height; y += 1) {
    // Backgrounds change down a picture: each row has its own.
    const paper = commonColour(data.subarray(y * stride, (y + 1) * stride), channels);
    for (let x = 0; x < width; x += 1) {
      let most = 0;
      for (let channel = 0; channel < channels; channel += 1) {
        most = Math.max(
          most,
          Math.abs((data[y * stride + x * channels + channel] ?? 0) - (paper[channel] ?? 0)),
        );
      }
      distance[y * width + x] = most;
    }
  }
  return stretch({ width, height, data: distance });
}

/** Similar colors count together, since JPEG adds noise. */
function commonColour(row: Uint8Array, channels: number): readonly number[] {
  const counts = new Map<number, number>();
  let best = 0;
  let most = 0;
  for (let at = 0; at + channels <= row.length; at += channels) {
    const key = nearColour(row, at, channels);
    const count = (counts.get(key) ?? 0) + 1;
    counts.set(key, count);
    if (count > most) [best, most] = [key, count];
  }
  const sums = [0, 0, 0];
  for (let at = 0; at + channels <= row.length; at += channels) {
    if (nearColour(row, at, channels) !== best) continue;
    for (let channel = 0; channel < channels; channel += 1)
      sums[channel] = (sums[channel] ?? 0) + (row[at + channel] ?? 0);
  }
  return sums.map((sum) => sum / Math.max(1, most));
}

function nearColour(row: Uint8Array, at: number, channels: number): number {
  let key = 0;
  for (let channel = 0; channel < channels; channel += 1) key = (key << 5) | ((row[at + channel] ?? 0) >> 3);
  return key;
}

/** Guides, frames and highlights are fainter than any text. */
const FAINT = 60;
/** Fainter text is not stretched to black, or noise would become letters. */
const FLOOR = 110;

/** Stretches each glyph to black by the strongest ink around it. */
function stretch({ width, height, data }: Ink): Ink {
  const around = maximum(maximum(data, width, height, 3, 1), width, height, 5, width);
  const out = new Uint8Array(data.length);
  for (let at = 0; at < data.length; at += 1) {
    const ink = data[at] ?? 0;
    const full = Math.max(FLOOR, around[at] ?? 0);
    out[at] = ink <= FAINT ? 0 : Math.min(255, ((ink - FAINT) * 255) / (full - FAINT));
  }
  return { width, height, data: out };
}

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
