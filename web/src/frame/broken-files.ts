import type { ConfigFileView } from '../hub/hub-context.tsx';
import type { Word } from './news-words.ts';

/** Config files that somebody broke while the page was open, each told once for each way in which it is broken. */
export class BrokenFiles {
  /** Set when files were read again. */
  wanted = false;
  readonly #told = new Set<string>();

  take(files: readonly ConfigFileView[]): readonly Word[] {
    this.wanted = false;
    const broken = files.filter(({ outcome }) => outcome === 'malformed' || outcome === 'unreadable');
    const fresh = broken.filter((file) => !this.#told.has(keyOf(file)));
    this.#told.clear();
    for (const file of broken) this.#told.add(keyOf(file));
    return fresh.map(({ path, line, reason }) => ({
      tone: 'info',
      title: `${nameOf(path)} is broken${line === undefined ? '' : ` at line ${line}`}`,
      more: `${reason ?? 'It cannot be read.'} What was read before stays in force.`,
    }));
  }
}

function keyOf({ path, line, column, reason }: ConfigFileView): string {
  return JSON.stringify([path, line, column, reason]);
}

function nameOf(path: string): string {
  return path.split(/[/\\]/).at(-1) ?? path;
}
