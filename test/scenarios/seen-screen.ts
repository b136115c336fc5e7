/**
 * What stands on the screen of a terminal after these bytes: lines that a command has replaced are
 * gone, as they are for the person who looks at it. Nothing scrolls away, and a line that the
 * terminal would break at its edge stays whole.
 */
export function screenOf(written: string): string {
  const screen = new Screen();
  for (const [piece] of written.matchAll(PIECES)) screen.take(piece);
  return screen.text();
}

/** Wide, so that no sentence is broken: where it would be depends on paths and ports. */
export const COLUMNS = 400;
export const ROWS = 50;

/** A command of the terminal (ECMA-48: CSI, OSC, or a short one), a control character, or a sign. */
// oxlint-disable-next-line no-control-regex -- that is what terminals are driven with
const PIECES = /\u001b\[[0-9;?]*[ -/]*[@-~]|\u001b\][^\u0007\u001b]*(?:\u0007|\u001b\\)|\u001b.|[^]/gu;

class Screen {
  readonly #lines: string[][] = [[]];
  #row = 0;
  #column = 0;

  take(piece: string): void {
    if (piece.startsWith('\u001b[')) return this.#command(piece.at(-1) ?? '', piece.slice(2, -1));
    if (piece.startsWith('\u001b')) return;
    if (piece === '\r') this.#column = 0;
    else if (piece === '\n') this.#row += 1;
    else if (piece === '\b') this.#column = Math.max(0, this.#column - 1);
    else if (piece >= ' ') this.#put(piece);
  }

  text(): string {
    const lines = this.#lines.map((line) => line.join('').trimEnd());
    return `${lines.join('\n').trimEnd()}\n`;
  }

  #put(sign: string): void {
    const line = this.#line(this.#row);
    while (line.length < this.#column) line.push(' ');
    line[this.#column] = sign;
    this.#column += 1;
  }

  /** Moves and erasures are all that a command line uses; colors are not part of the text. */
  #command(name: string, given: string): void {
    const count = Number(given.split(';')[0]) || 0;
    const steps = Math.max(1, count);
    if (name === 'A') this.#row = Math.max(0, this.#row - steps);
    else if (name === 'B') this.#row += steps;
    else if (name === 'C') this.#column += steps;
    else if (name === 'D') this.#column = Math.max(0, this.#column - steps);
    else if (name === 'G') this.#column = steps - 1;
    else if (name === 'K') this.#eraseLine(count);
    else if (name === 'J') this.#eraseBelow();
  }

  #eraseLine(how: number): void {
    const line = this.#line(this.#row);
    if (how === 0) line.length = Math.min(line.length, this.#column);
    else if (how === 1) line.fill(' ', 0, this.#column + 1);
    else line.length = 0;
  }

  #eraseBelow(): void {
    this.#eraseLine(0);
    this.#lines.length = Math.min(this.#lines.length, this.#row + 1);
  }

  #line(row: number): string[] {
    while (this.#lines.length <= row) this.#lines.push([]);
    return this.#lines[row] ?? [];
  }
}
