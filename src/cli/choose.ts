import { LiveRows } from './live-rows.ts';
import { sanitizeLine } from './sanitize.ts';
import type { Session } from './session.ts';

interface Choices<T> {
  readonly items: readonly T[];
  readonly label: (item: T) => string;
  readonly ticked: (item: T) => boolean;
}

/** Tick boxes, driven by keys or, without them, by numbers. Answers the chosen items. */
export async function tick<T>(session: Session, { items, label, ticked }: Choices<T>): Promise<readonly T[]> {
  const labels = items.map(label);
  const boxes = items.map(ticked);
  const { keys } = session.terminal;
  const choose = keys && session.env['TERM'] !== 'dumb' ? byKeys(keys) : byNumbers;
  return (await choose(session, labels, boxes)) ? items.filter((_, index) => boxes[index]) : [];
}

/** Changes the boxes; false when nothing was chosen after all. */
type Choose = (session: Session, labels: readonly string[], boxes: boolean[]) => Promise<boolean>;

const byNumbers: Choose = async ({ out, terminal, signal }, labels, boxes) => {
  for (;;) {
    labels.forEach((label, index) => out.note(`  ${boxes[index] ? '[x]' : '[ ]'} ${index + 1}  ${label}`));
    const question = 'Numbers switch a box (such as 1,3-5), a takes all, q none, Enter continues: ';
    const answer = (await terminal.ask(question, signal)).trim().toLowerCase();
    if (answer === 'q' || answer === 'n' || answer === 'no') return false;
    if (answer === '') return true;
    if (answer === 'a' || answer === 'all') boxes.fill(true);
    else for (const index of numbersIn(answer, labels.length)) boxes[index] = !boxes[index];
  }
};

export async function pickOne(
  session: Session,
  labels: readonly string[],
  question: string,
  { preset }: { readonly preset?: number } = {},
): Promise<number | undefined> {
  labels.forEach((label, index) => session.out.note(`  ${index + 1}  ${label}`));
  const empty = preset === undefined ? 'none' : preset + 1;
  const answer = await session.terminal.ask(
    `${question} [1–${labels.length}, Enter for ${empty}] `,
    session.signal,
  );
  return answer.trim() === '' ? preset : numbersIn(answer, labels.length)[0];
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

/** j/k or arrows move, space toggles, a takes all or none, Enter continues, Esc leaves. */
function byKeys(keys: (signal: AbortSignal) => AsyncIterable<string>): Choose {
  return async ({ out, terminal, signal }, labels, boxes) => {
    const rows = new LiveRows({ writer: terminal.stderr, styled: false, height: () => Infinity });
    const shown = Math.max(1, (terminal.streams.stderr.rows ?? 24) - 3);
    let at = 0;
    const draw = (): void => {
      const first = Math.max(0, Math.min(at - Math.floor(shown / 2), labels.length - shown));
      const lines = labels.map((label, index) => {
        const box = `${index === at ? '›' : ' '} ${boxes[index] ? '[x]' : '[ ]'}`;
        return `${box} ${sanitizeLine(label)}`;
      });
      const count = `${boxes.filter(Boolean).length} of ${labels.length} chosen. ${HELP}`;
      rows.draw([...lines.slice(first, first + shown), count].map((line) => [line]));
    };
    return await out.aside(async () => {
      draw();
      try {
        for await (const key of keys(signal)) {
          if (key === 'enter') return true;
          if (key === 'escape' || key === 'q') return false;
          if (key === 'j' || key === 'down') at = (at + 1) % labels.length;
          if (key === 'k' || key === 'up') at = (at + labels.length - 1) % labels.length;
          if (key === 'space' || key === 'x') boxes[at] = !boxes[at];
          if (key === 'a') boxes.fill(!boxes.every(Boolean));
          draw();
        }
        return false;
      } finally {
        rows.erase();
      }
    });
  };
}

const HELP = 'j/k move · space switches · a all or none · Enter continues · Esc leaves';
