import { SOLID } from './components.ts';
import type { Patch } from './cells.ts';

/** Outlines that resemble others: the engine is right about these. */
const BELIEVED = '()~=*$@%&jQ';
/** Only the height tells the case. */
const ALIKE_IN_BOTH_CASES = 'cosuvwxzCOSUVWXZ';

/** Minimum ratio of capitals to the x-height, in usual fonts. */
const CAPITAL = 1.17;

/** Corrects the engine where the outline is certain. */
export function correctByShape(
  patch: Patch,
  read: string | undefined,
  glyphHeight: number,
): string | undefined {
  const box = boxOf(patch);
  if (!box || (read !== undefined && BELIEVED.includes(read))) return read;
  if (read !== undefined && ALIKE_IN_BOTH_CASES.includes(read)) {
    const height = box.bottom - box.top;
    if (
      read.toLowerCase() === 's' &&
      height >= glyphHeight * 1.5 &&
      box.bottom > patch.baseline + glyphHeight * 0.1
    )
      return '$';
    return height <= glyphHeight * CAPITAL ? read.toLowerCase() : read.toUpperCase();
  }
  if (isAtSign(patch, box, glyphHeight)) return '@';
  if (read !== undefined && !couldBe(patch, read, glyphHeight) && isDotted(patch, box, glyphHeight))
    return 'i';
  return punctuationOf(patch, box, glyphHeight) ?? read;
}

/** The engine, trained on prose, often misreads brackets, quotes and dashes, which configs depend on. */
function punctuationOf(patch: Patch, box: Box, glyphHeight: number): string | undefined {
  const width = box.right - box.left;
  const height = box.bottom - box.top;
  const middle = patch.baseline - glyphHeight / 2;
  if (
    box.bottom <= patch.baseline - glyphHeight * 0.45 &&
    height < glyphHeight * 0.95 &&
    box.top < patch.baseline - glyphHeight
  ) {
    const strokes = strokesAcross(patch, box);
    if (strokes === 2) return '"';
    if (strokes === 1 && width < glyphHeight * 0.4) return "'";
    return undefined;
  }
  if (height <= glyphHeight * 0.36 && width >= glyphHeight * 0.4) {
    if (box.top >= patch.baseline - glyphHeight * 0.1) return '_';
    if (Math.abs((box.top + box.bottom) / 2 - middle) < glyphHeight * 0.35 && strokesDown(patch, box) === 1)
      return '-';
    return undefined;
  }
  if (width < glyphHeight * 0.55 && box.top >= patch.baseline - glyphHeight * 0.4)
    return box.bottom > patch.baseline + glyphHeight * 0.12 ? ',' : '.';
  if (box.bottom > patch.baseline + glyphHeight * 0.1 && height >= glyphHeight * 1.38)
    return tallOf(patch, box);
  return undefined;
}

/** A dot above a stem that ends on the baseline. */
function isDotted(patch: Patch, box: Box, glyphHeight: number): boolean {
  const height = box.bottom - box.top;
  if (box.bottom > patch.baseline + glyphHeight * 0.12 || height < glyphHeight * 1.15) return false;
  const rows = Array.from({ length: height }, (_, at) =>
    Array.from({ length: patch.width }, (_column, x) => inked(patch, x, box.top + at)).includes(true),
  );
  return runs(rows) === 2 && rows.lastIndexOf(false) < height * 0.5;
}

/** The only glyph below the baseline with four strokes side by side. */
function isAtSign(patch: Patch, box: Box, glyphHeight: number): boolean {
  if (box.bottom <= patch.baseline + glyphHeight * 0.08 || box.top > patch.baseline - glyphHeight * 1.12)
    return false;
  const y = Math.round(patch.baseline - glyphHeight * 0.4);
  const row = Array.from({ length: box.right - box.left }, (_, at) => inked(patch, box.left + at, y));
  return runs(row) >= 3;
}

/** Only letters with a tail reach below the baseline. */
export function couldBe(patch: Patch, char: string, glyphHeight: number): boolean {
  const box = boxOf(patch);
  if (!box) return false;
  const below = box.bottom - patch.baseline;
  const height = box.bottom - box.top;
  if ('gpqyj'.includes(char)) return below > glyphHeight * 0.12;
  if ('aemnr'.includes(char)) return below < glyphHeight * 0.25 && height < glyphHeight * 1.3;
  if ('bdfhiklt'.includes(char)) return below < glyphHeight * 0.25 && height > glyphHeight * 1.08;
  if (/[A-PR-Z0-9]/.test(char)) return below < glyphHeight * 0.25;
  return true;
}

export function heightOfInk(patch: Patch): number {
  const box = boxOf(patch);
  return box ? box.bottom - box.top : 0;
}

interface Box {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

function inked(patch: Patch, x: number, y: number): boolean {
  return (patch.data[y * patch.width + x] ?? 0) >= SOLID;
}

function boxOf(patch: Patch): Box | undefined {
  let [left, right, top, bottom] = [patch.width, 0, patch.height, 0];
  for (let y = 0; y < patch.height; y += 1) {
    for (let x = 0; x < patch.width; x += 1) {
      if (!inked(patch, x, y)) continue;
      left = Math.min(left, x);
      right = Math.max(right, x + 1);
      top = Math.min(top, y);
      bottom = Math.max(bottom, y + 1);
    }
  }
  return right === 0 ? undefined : { left, right, top, bottom };
}

function strokesAcross(patch: Patch, box: Box): number {
  const y = Math.floor(box.top + (box.bottom - box.top) * 0.35);
  return runs(Array.from({ length: box.right - box.left }, (_, at) => inked(patch, box.left + at, y)));
}

function strokesDown(patch: Patch, box: Box): number {
  const x = Math.floor((box.left + box.right) / 2);
  return runs(Array.from({ length: box.bottom - box.top }, (_, at) => inked(patch, x, box.top + at)));
}

function runs(row: readonly boolean[]): number {
  return row.filter((on, at) => on && row[at - 1] !== true).length;
}

interface Span {
  readonly left: number;
  readonly right: number;
}

/** The extent of the ink between two relative heights; undefined if it has gaps. */
function spanOf(patch: Patch, box: Box, from: number, to: number): Span | undefined {
  const height = box.bottom - box.top;
  const first = Math.min(box.bottom - 1, Math.floor(box.top + height * from));
  const last = Math.min(box.bottom - 1, Math.floor(box.top + height * to));
  let [left, right] = [patch.width, 0];
  for (let y = first; y <= last; y += 1) {
    const row = Array.from({ length: patch.width }, (_, x) => inked(patch, x, y));
    if (runs(row) !== 1) return undefined;
    left = Math.min(left, row.indexOf(true));
    right = Math.max(right, row.lastIndexOf(true) + 1);
  }
  return { left, right };
}

/** Brackets and slashes, by their outline at the ends, quarters and middle. */
function tallOf(patch: Patch, box: Box): string | undefined {
  const top = spanOf(patch, box, 0, 0);
  const upper = spanOf(patch, box, 0.27, 0.27);
  const middle = spanOf(patch, box, 0.4, 0.6);
  const lower = spanOf(patch, box, 0.73, 0.73);
  const bottom = spanOf(patch, box, 1, 1);
  if (!top || !upper || !middle || !lower || !bottom) return undefined;
  const width = box.right - box.left;
  const near = (a: number, b: number): boolean => Math.abs(a - b) <= Math.max(1, width * 0.15);
  if (isSlanted([top, upper, lower, bottom], width)) return '/';
  if (isSlanted([bottom, lower, upper, top], width)) return '\\';
  // Stems must match in both halves, or it is a letter with a tail.
  if (
    !near(upper.left, lower.left) ||
    !near(upper.right, lower.right) ||
    upper.right - upper.left > width * 0.75
  )
    return undefined;
  const opens = top.right > upper.right && bottom.right > lower.right;
  const closes = top.left < upper.left && bottom.left < lower.left;
  if (opens === closes) return undefined;
  if (opens && middle.left < Math.min(upper.left, lower.left)) return '{';
  if (closes && middle.right > Math.max(upper.right, lower.right)) return '}';
  const straight = near(middle.left, upper.left) && near(middle.right, upper.right);
  if (opens && straight && near(top.left, upper.left)) return '[';
  if (closes && straight && near(top.right, upper.right)) return ']';
  return undefined;
}

/** Whether narrow spans move steadily to the left. */
function isSlanted(spans: readonly Span[], width: number): boolean {
  return (
    spans.every((span, index) => {
      const before = spans[index - 1];
      return (
        span.right - span.left <= width * 0.5 &&
        (before === undefined || before.left - span.left >= width * 0.1)
      );
    }) && (spans[0]?.left ?? 0) - (spans.at(-1)?.left ?? 0) >= width * 0.5
  );
}
