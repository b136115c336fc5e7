import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parsePaste } from '../src/servers/paste/parse-paste.ts';
import type { PastedServer } from '../src/servers/paste/paste.ts';
import { readScreenshot } from '../src/servers/screenshot/read-screenshot.ts';
import { tunedCases, type Expected, type ScreenshotCase } from './screenshots/cases.ts';
import { hardCases } from './screenshots/hard.ts';
import { heldOutCases } from './screenshots/held-out.ts';
import { moreCases } from './screenshots/more.ts';
import { pageOf, windowOf } from './screenshots/page.ts';

/**
 * Renders invented configs as screenshots with Chromium, reads them, and counts the definitions
 * that come out exactly right. `node scripts/eval-screenshot.ts [--keep FOLDER] [CASE…]`
 */
const GOAL = 0.9;

interface Result {
  readonly shot: ScreenshotCase;
  readonly right: number;
  readonly text: string;
  readonly confidence: number;
  readonly ms: number;
}

const args = process.argv.slice(2);
const keep = args[0] === '--keep' ? args.splice(0, 2)[1] : undefined;
const folder = keep ?? mkdtempSync(join(tmpdir(), 'plug-screenshots-'));
const results: Result[] = [];
try {
  for (const shot of [...tunedCases, ...hardCases, ...moreCases, ...heldOutCases].filter(
    ({ id }) => args.length === 0 || args.includes(id),
  )) {
    const result = await evaluate(shot);
    results.push(result);
    process.stdout.write(`${row(result)}\n`);
    if (result.right < shot.expected.length)
      process.stdout.write(`${result.text.replaceAll(/^/gm, '        ')}\n`);
  }
} finally {
  if (keep === undefined) rmSync(folder, { recursive: true, force: true });
}
report();

async function evaluate(shot: ScreenshotCase): Promise<Result> {
  const image = readFileSync(render(shot));
  const start = performance.now();
  const { text, confidence } = await readScreenshot(image);
  const ms = Math.round(performance.now() - start);
  const { servers } = parsePaste(text);
  const right = shot.expected.filter((expected) => servers.some((server) => isSame(server, expected))).length;
  // A server that is not in the picture is as wrong as one that was missed.
  return {
    shot,
    right: servers.length > shot.expected.length ? Math.min(right, shot.expected.length - 1) : right,
    text,
    confidence,
    ms,
  };
}

function render({ id, text, look }: ScreenshotCase): string {
  const page = join(folder, `${id}.html`);
  const image = join(folder, `${id}.${look.image ?? 'png'}`);
  writeFileSync(page, pageOf(text, look));
  const { width, height } = windowOf(text, look);
  const flags = [
    '--headless',
    '--no-sandbox',
    '--disable-gpu',
    '--disable-background-networking',
    '--hide-scrollbars',
  ];
  const size = [`--force-device-scale-factor=${look.scale}`, `--window-size=${width},${height}`];
  execFileSync('chromium', [...flags, ...size, `--screenshot=${image}`, `file://${page}`], {
    stdio: 'ignore',
  });
  return image;
}

function isSame(server: PastedServer, expected: Expected): boolean {
  const same = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);
  return (
    server.name === expected.name &&
    server.command === expected.command &&
    same(server.args ?? [], expected.args ?? []) &&
    same(server.env ?? {}, expected.env ?? {}) &&
    server.url === expected.url &&
    same(server.headers ?? {}, expected.headers ?? {})
  );
}

function row({ shot, right, confidence, ms }: Result): string {
  const { look } = shot;
  return [
    right === shot.expected.length ? 'ok  ' : 'MISS',
    shot.id.padEnd(20),
    look.language.padEnd(6),
    look.chrome.padEnd(9),
    look.dark ? 'dark ' : 'light',
    `${look.font} ${look.sizePx}px ×${look.scale}`.padEnd(26),
    `${right}/${shot.expected.length}`,
    `conf ${confidence}`,
    `${ms} ms`,
  ].join('  ');
}

function report(): void {
  for (const group of ['tuned', 'held-out'] as const) {
    const members = results.filter(({ shot }) => shot.group === group);
    const right = members.reduce((sum, result) => sum + result.right, 0);
    const all = members.reduce((sum, { shot }) => sum + shot.expected.length, 0);
    if (all === 0) continue;
    process.stdout.write(
      `${group}: ${right} of ${all} definitions right in ${members.length} screenshots (${((100 * right) / all).toFixed(1)} %)\n`,
    );
    if (right < all * GOAL) process.exitCode = 1;
  }
}
