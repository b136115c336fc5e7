import type { ChatEvent } from '../../hub/hub.ts';
import { exitCodeOf, exitCodes, type ExitCode } from '../exit-codes.ts';
import { sanitize } from '../sanitize.ts';
import type { Session } from '../session.ts';
import { documentLimits } from './document.ts';

/** What happens in a run: the answer on standard output as it comes, everything else beside it. */
export class ShownTurn {
  readonly #session: Session;
  readonly #streams: boolean;
  /** Not written yet: a word whose end has not come. */
  #held = '';
  #last = '\n';
  /** Servers whose last call failed for a reason that is theirs. */
  readonly #lost = new Map<string, ExitCode>();

  constructor(session: Session, { streams }: { readonly streams: boolean }) {
    this.#session = session;
    this.#streams = streams;
  }

  show(event: ChatEvent): void {
    if (event.kind === 'text') this.#say(event.text);
    else if (event.kind === 'call-start') this.#note('  ', `using ${event.tool}`);
    else if (event.kind === 'call-end') this.#ended(event);
    else if (event.kind === 'retry') {
      this.#note('… ', `${event.reason} Trying again in ${Math.ceil(event.waitMs / 1_000)} s.`);
    } else if (event.kind === 'note') this.#note('… ', event.text);
    else if (event.kind === 'suggestion') {
      for (const { name, why, next } of event.suggestions) this.#note('… ', `${name}: ${why} ${next}`);
    }
  }

  end(): void {
    this.#flush();
    if (this.#last !== '\n') this.#write('\n');
  }

  /** Whether a server could not be used to the end: for want of a sign-in, or because it is not there. */
  get lost(): ExitCode {
    const codes = [...this.#lost.values()];
    return codes.includes(exitCodes.signInRequired) ? exitCodes.signInRequired : (codes[0] ?? exitCodes.ok);
  }

  #ended(event: Extract<ChatEvent, { kind: 'call-end' }>): void {
    const { tool, outcome, durationMs, error } = event;
    const [server = ''] = tool.split('/', 1);
    const code = error === undefined ? exitCodes.ok : exitCodeOf(error.code);
    if (code === exitCodes.signInRequired || code === exitCodes.serverNotAvailable)
      this.#lost.set(server, code);
    else if (outcome === 'completed') this.#lost.delete(server);
    const took = durationMs < 1 ? '' : ` (${Math.round(durationMs)} ms)`;
    const why = outcome === 'completed' ? '' : `: ${error?.message ?? event.text}`;
    const next = error?.next === undefined || outcome === 'denied' ? '' : ` → ${error.next}`;
    this.#note(
      outcome === 'completed' ? '✔ ' : '✖ ',
      `${tool} ${outcome.replace('-', ' ')}${took}${why}${next}`,
    );
  }

  #note(mark: string, text: string): void {
    if (this.#session.out.json) return;
    this.#flush();
    // What the model says next is another paragraph.
    if (this.#last !== '\n') this.#write('\n\n');
    this.#session.out.note({ style: STYLES[mark] ?? 'faint', text: mark }, text.replaceAll(/\s+/g, ' '));
  }

  /** Writes whole words only: a character may come in two pieces, or be hidden by its neighbors. */
  #say(text: string): void {
    if (!this.#streams) return;
    this.#held += text;
    const end = Math.max(this.#held.lastIndexOf(' '), this.#held.lastIndexOf('\n')) + 1;
    const sure = this.#held.length - end > documentLimits.heldCharsMax ? this.#held.length : end;
    this.#write(sanitize(this.#held.slice(0, sure)));
    this.#held = this.#held.slice(sure);
  }

  #flush(): void {
    this.#write(sanitize(this.#held));
    this.#held = '';
  }

  #write(text: string): void {
    if (text === '') return;
    this.#session.out.end();
    this.#session.terminal.stdout.write(text);
    this.#last = text.at(-1) ?? '\n';
  }
}

const STYLES: Readonly<Record<string, 'good' | 'bad' | undefined>> = { '✔ ': 'good', '✖ ': 'bad' };
