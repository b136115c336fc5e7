import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** A fenced block of a page: its language, and the word after it, if there is one. */
export interface Block {
  readonly language: string;
  readonly label: string;
  readonly text: string;
}

/** A command of a `console` block, and what the page says that it prints. */
export interface Step {
  readonly command: string;
  readonly prints: readonly string[];
}

export const root: string = fileURLToPath(new URL('..', import.meta.url));

/** Pages that a user reads: each shows commands, and the commands must be true. */
export const userPages: readonly string[] = [
  'README.md',
  ...readdirSync(`${root}docs`)
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
];

export function readPage(page: string): string {
  return readFileSync(`${root}${page}`, 'utf8');
}

export function blocksOf(page: string): readonly Block[] {
  return [...readPage(page).matchAll(/^```(\S+)(?: +(\S+))?\n([^]*?)^```$/gm)].map(
    ([, language = '', label = '', text = '']) => ({ language, label, text }),
  );
}

export function stepsOf({ text }: Block): readonly Step[] {
  const steps: { command: string; prints: string[] }[] = [];
  for (const line of text.trimEnd().split('\n')) {
    if (line.startsWith('$ ')) steps.push({ command: line.slice(2), prints: [] });
    else steps.at(-1)?.prints.push(line);
  }
  return steps;
}

/**
 * Whether a command printed what the page says. `…` stands for anything: alone on a line for any
 * lines, inside a line for any text. Columns may be wider, and numbers that differ from run to run
 * (pids, ports, ages, memory) may be others.
 */
export function patternOf(prints: readonly string[]): RegExp {
  const lines = prints.map((line) => {
    if (line === '…') return '(?:.*\n)*?';
    const text = escaped(steady(line)).replaceAll('…', '.*');
    return `${text}\n`;
  });
  return new RegExp(`^${lines.join('')}$`);
}

/** The text without what differs from run to run. */
export function steady(text: string): string {
  return (
    text
      // Work that takes long says so, and a busy machine takes long over everything.
      .replaceAll(/^… .* \(\d+ s\)\n/gm, '')
      .replaceAll(/pid \d+/g, 'pid N')
      .replaceAll(/(127\.0\.0\.1):\d+/g, '$1:N')
      .replaceAll(/\d+s ago/g, 'Ns ago')
      .replaceAll(/\d+ MB/g, 'N MB')
      .replaceAll(/ {2,}/g, '  ')
      .replaceAll(/ +$/gm, '')
  );
}

function escaped(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
}
