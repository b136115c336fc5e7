import { PlugError } from '../../base/errors.ts';
import { PROVIDERS } from '../../hub/models/providers.ts';
import { askYesNo, type Session } from '../session.ts';
import type { ModelPlace } from './model-place.ts';

export interface KeyWish {
  /** True for `--key` alone; `-` is standard input; anything else is a key in the wrong place. */
  readonly key: string | true | undefined;
  /** The variable that holds it. */
  readonly keyEnv: string | undefined;
  readonly place: ModelPlace;
  /** The model is there already, with a key for the same address. */
  readonly kept: boolean;
  /** Somebody can be asked. */
  readonly asks: boolean;
}

/** Finds the key as it was wished for. Undefined: none is needed, or the one that is there stays. */
export async function readKey(wish: KeyWish, session: Session): Promise<string | undefined> {
  const { key, keyEnv, place, kept, asks } = wish;
  if (key === '-') return given(await session.terminal.readInput(), 'Standard input');
  if (keyEnv !== undefined) return given(session.env[keyEnv] ?? '', keyEnv);
  if (key === true) return await typed(wish, session);
  if (kept) return undefined;
  const found = foundIn(session.env, place);
  if (asks) {
    const question = `Found ${found} in your environment; use it?`;
    if (found !== undefined && (await askYesNo(session, question, 'yes'))) return session.env[found];
    if (PROVIDERS[place.provider].needsKey) return await typed(wish, session);
    if (place.local) return undefined;
    return (await hidden(session, `Key for ${place.url ?? place.title}, Enter for none`)) || undefined;
  }
  if (PROVIDERS[place.provider].needsKey) throw missing(place, found);
  return undefined;
}

/** A key in the wrong place is not repeated. */
export function checkTypedKey(key: string | true | undefined, extra: readonly string[]): void {
  if (extra.length === 0 && (key === undefined || key === true || key === '-')) return;
  throw new PlugError(
    'usage',
    'A key is not taken from the command line, where the process list and the history of the shell show it. Nothing was saved; get a new key if this one was real.',
    {
      owner: 'you',
      remedy:
        'Write --key last, to be asked for it, or --key - to give it on standard input, or --key-env VARIABLE.',
    },
  );
}

async function typed({ place, asks }: KeyWish, session: Session): Promise<string> {
  if (!asks) throw missing(place, foundIn(session.env, place));
  return given(
    await hidden(session, `Key for ${place.title} (it does not show while you type)`),
    'The answer',
  );
}

async function hidden({ terminal, signal }: Session, question: string): Promise<string> {
  return (await terminal.askHidden(`${question}: `, signal)).trim();
}

function given(value: string, from: string): string {
  const key = value.trim();
  if (key !== '' && !/\s/.test(key)) return key;
  const what = key === '' ? 'holds no key' : 'holds something that is no key: a key has no blanks';
  throw new PlugError('missing_input', `${from} ${what}. Nothing was saved.`, {
    owner: 'you',
    remedy: 'Get a key from the provider, and give it with --key, --key - or --key-env.',
  });
}

/** The first variable with a key for this provider. Keys go to their provider, not to any address. */
function foundIn(env: Session['env'], { provider, url }: ModelPlace): string | undefined {
  if (url !== undefined) return undefined;
  return PROVIDERS[provider].variables.find((name) => (env[name] ?? '').trim() !== '');
}

function missing({ title }: ModelPlace, found: string | undefined): PlugError {
  const there = found === undefined ? '' : ` ${found} is in your environment, and is not taken unasked.`;
  return new PlugError('missing_input', `A model of ${title} needs a key.${there} Nothing was saved.`, {
    owner: 'you',
    remedy:
      found === undefined
        ? { do: 'say', text: 'Run it again on a terminal, or with --key - and the key on standard input.' }
        : { do: 'say', text: `Run it again with --key-env ${found}.` },
    details: { missing: 'key', ...(found === undefined ? {} : { found }) },
  });
}
