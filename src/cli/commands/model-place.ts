import type { PlugError } from '../../base/errors.ts';
import { didYouMean, suggest } from '../../base/suggest.ts';
import type { ModelProvider } from '../../hub/hub.ts';
import { LOCAL, PROVIDERS, isProvider, localServer, localServerAt } from '../../hub/models/providers.ts';
import { pickOne } from '../choose.ts';
import { cancelled, userError } from '../failures.ts';
import { askYesNo, type Session } from '../session.ts';

export interface ModelPlace {
  readonly provider: ModelProvider;
  readonly url?: string;
  readonly word: string;
  readonly title: string;
  readonly local: boolean;
}

const placeNames: readonly string[] = [...Object.keys(PROVIDERS), ...Object.keys(LOCAL)];

export function isPlace(word: string): boolean {
  return placeNames.includes(word);
}

export function placeFrom(word: string, url?: string): ModelPlace {
  const local = localServer(word);
  if (local) return placed('compatible', word, { title: local.title, url: url ?? local.url });
  if (isProvider(word)) return placed(word, word, { title: PROVIDERS[word].title, url });
  const near = suggest(word, placeNames);
  throw userError('usage', `“${word.slice(0, 40)}” is no provider of models. ${didYouMean(near)}`.trim(), {
    remedy: `Use one of ${placeNames.join(', ')}.`,
    details: { suggestions: near },
  });
}

export async function askPlace(session: Session, url?: string): Promise<ModelPlace> {
  session.out.note('Where is the model?');
  const index = await pickOne(
    session,
    placeNames.map((word) => (localServer(word) ? `${titleOf(word)}, on this machine` : titleOf(word))),
    'Which?',
  );
  const word = index === undefined ? undefined : placeNames[index];
  if (word !== undefined) return await completePlace(session, placeFrom(word, url));
  throw cancelled('No model was added.');
}

export async function completePlace(session: Session, place: ModelPlace): Promise<ModelPlace> {
  if (place.url !== undefined || PROVIDERS[place.provider].url !== undefined) return place;
  const question = 'Its address, such as https://models.example.com/v1: ';
  const url = (await session.terminal.ask(question, session.signal)).trim();
  return placeFrom(place.word, url);
}

function titleOf(word: string): string {
  return localServer(word)?.title ?? (isProvider(word) ? PROVIDERS[word].title : word);
}

function placed(
  provider: ModelProvider,
  word: string,
  { title, url }: { readonly title: string; readonly url?: string | undefined },
): ModelPlace {
  const address = url === undefined ? undefined : (localServer(url)?.url ?? url);
  const local = address !== undefined && URL.canParse(address) && isHere(new URL(address));
  return { provider, word, title, local, ...(address === undefined ? {} : { url: address }) };
}

function isHere(address: URL): boolean {
  return localServerAt(address) !== undefined || /^(localhost|127\.|\[::1\])/.test(address.hostname);
}

export interface KeyWish {
  /** True for `--key` alone; `-` is standard input; anything else is a key in the wrong place. */
  readonly key: string | true | undefined;
  readonly keyEnv: string | undefined;
  readonly place: ModelPlace;
  readonly kept: boolean;
  readonly asks: boolean;
}

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
  throw userError(
    'usage',
    'A key is not taken from the command line, where the process list and the history of the shell show it. Nothing was saved; get a new key if this one was real.',
    {
      remedy:
        'Write --key last, to be asked for it, or --key - to give it on standard input, or --key-env VARIABLE.',
    },
  );
}

async function typed({ place, asks }: KeyWish, session: Session): Promise<string> {
  if (!asks) throw missing(place, foundIn(session.env, place));
  return given(await hidden(session, `Key for ${place.title} (hidden as you type)`), 'The answer');
}

async function hidden({ terminal, signal }: Session, question: string): Promise<string> {
  return (await terminal.askHidden(`${question}: `, signal)).trim();
}

function given(value: string, from: string): string {
  const key = value.trim();
  if (key !== '' && !/\s/.test(key)) return key;
  const what = key === '' ? 'holds no key' : 'holds something that is no key: a key has no blanks';
  throw userError('missing_input', `${from} ${what}. Nothing was saved.`, {
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
  return userError('missing_input', `A model of ${title} needs a key.${there} Nothing was saved.`, {
    remedy:
      found === undefined
        ? { do: 'say', text: 'Run it again on a terminal, or with --key - and the key on standard input.' }
        : { do: 'say', text: `Run it again with --key-env ${found}.` },
    details: { missing: 'key', ...(found === undefined ? {} : { found }) },
  });
}
