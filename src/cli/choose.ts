import type { Session } from './session.ts';

export interface Choice {
  readonly label: string;
  readonly ticked: boolean;
}

/**
 * A list with tick boxes. Where keys can be read they drive it; elsewhere numbers switch the boxes
 * and Enter goes on. Undefined means: none of it.
 */
export async function tick(
  session: Session,
  choices: readonly Choice[],
): Promise<readonly number[] | undefined> {
  const { keys } = session.terminal;
  if (keys && session.env['TERM'] !== 'dumb')
    return await (await import('./checklist.ts')).checklist(session, keys, choices);
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

/** One of a list by its number; undefined when nothing was chosen. */
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
