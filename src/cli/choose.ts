import { LiveRows } from './live-rows.ts';
import { sanitizeLine } from './sanitize.ts';
import type { Session } from './session.ts';

interface Choice {
  readonly label: string;
  readonly ticked: boolean;
}

export async function tick(
  session: Session,
  choices: readonly Choice[],
): Promise<readonly number[] | undefined> {
  const { keys } = session.terminal;
  if (keys && session.env['TERM'] !== 'dumb') return await checklist(session, keys, choices);
  const ticked = choices.map((choice) => choice.ticked);
  for (;;) {
    choices.forEach(({ label }, index) => {
      session.out.note(`  ${ticked[index] ? '[x]' : '[ ]'} ${index + 1}  ${label}`);
    });
    const question = 'Numbers switch a box (such as 1,3-5), a takes all, q none, Enter goes on: ';
    const answer = (await session.terminal.ask(question, session.signal)).trim().toLowerCase();
    if (answer === 'q' || answer === 'n' || answer === 'no') return undefined;
    if (answer === '') return ticked.flatMap((on, index) => (on ? [index] : []));
    if (answer === 'a' || answer === 'all') ticked.fill(true);
    else for (const index of numbersIn(answer, choices.length)) ticked[index] = !ticked[index];
  }
}

export async function pickOne(
  session: Session,
  labels: readonly string[],
  question: string,
): Promise<number | undefined> {
  labels.forEach((label, index) => session.out.note(`  ${index + 1}  ${label}`));
  const answer = await session.terminal.ask(
    `${question} [1–${labels.length}, Enter for none] `,
    session.signal,
  );
  return numbersIn(answer, labels.length)[0];
}

function numbersIn(text: string, max: number): readonly number[] {
  const numbers = text.split(/[\s,]+/).flatMap((part) => {
    const [, from = '', to = from] = /^(\d{1,4})(?:-(\d{1,4}))?$/.exec(part) ?? [];
    if (from === '') return [];
    const [first, last] = [Number(from), Math.min(Number(to), max)];
    return Array.from({ length: Math.max(0, last - first + 1) }, (_, step) => first + step - 1);
  });
  return [...new Set(numbers)].filter((index) => index >= 0 && index < max);
}

/** j/k or arrows move, space toggles, a takes all or none, Enter continues, Esc leaves (undefined). */
async function checklist(
  { out, terminal, signal }: Session,
  keys: (signal: AbortSignal) => AsyncIterable<string>,
  choices: readonly Choice[],
): Promise<readonly number[] | undefined> {
  const ticked = choices.map((choice) => choice.ticked);
  const labels = choices.map(({ label }) => sanitizeLine(label));
  const rows = new LiveRows({ writer: terminal.stderr, styled: false, height: () => Infinity });
  const shown = Math.max(1, (terminal.streams.stderr.rows ?? 24) - 3);
  let at = 0;
  const draw = (): void => {
    const first = Math.max(0, Math.min(at - Math.floor(shown / 2), labels.length - shown));
    const lines = labels.map(
      (label, index) => `${index === at ? '›' : ' '} ${ticked[index] ? '[x]' : '[ ]'} ${label}`,
    );
    const count = `${ticked.filter(Boolean).length} of ${labels.length} chosen. ${HELP}`;
    rows.draw([...lines.slice(first, first + shown), count].map((line) => [line]));
  };
  return await out.aside(async () => {
    draw();
    try {
      for await (const key of keys(signal)) {
        if (key === 'enter') return ticked.flatMap((on, index) => (on ? [index] : []));
        if (key === 'escape' || key === 'q') return undefined;
        if (key === 'j' || key === 'down') at = (at + 1) % choices.length;
        if (key === 'k' || key === 'up') at = (at + choices.length - 1) % choices.length;
        if (key === 'space' || key === 'x') ticked[at] = !ticked[at];
        if (key === 'a') ticked.fill(!ticked.every(Boolean));
        draw();
      }
      return undefined;
    } finally {
      rows.erase();
    }
  });
}

const HELP = 'j/k move · space switches · a all or none · Enter goes on · Esc leaves';
