import { PlugError } from '../../base/errors.ts';
import { didYouMean, suggest } from '../../base/suggest.ts';
import { isProvider, LOCAL, localServer, localServerAt, PROVIDERS } from '../../hub/models/providers.ts';
import type { ModelProvider } from '../../hub/hub.ts';
import { pickOne } from '../choose.ts';
import type { Session } from '../session.ts';
import { cancelled } from '../failures.ts';

/** Where a model is to be found. */
export interface ModelPlace {
  readonly provider: ModelProvider;
  readonly url?: string;
  /** What people call it: `openai`, `ollama`. */
  readonly word: string;
  readonly title: string;
  /** On this machine, where nobody asks for a key. */
  readonly local: boolean;
}

/** Every word that says where a model is. */
const placeNames: readonly string[] = [...Object.keys(PROVIDERS), ...Object.keys(LOCAL)];

export function isPlace(word: string): boolean {
  return placeNames.includes(word);
}

export function placeFrom(word: string, url?: string): ModelPlace {
  const local = localServer(word);
  if (local) return placed('compatible', word, { title: local.title, url: url ?? local.url });
  if (isProvider(word)) return placed(word, word, { title: PROVIDERS[word].title, url });
  const near = suggest(word, placeNames);
  throw new PlugError(
    'usage',
    `“${word.slice(0, 40)}” is no provider of models. ${didYouMean(near)}`.trim(),
    {
      owner: 'you',
      remedy: `Use one of ${placeNames.join(', ')}.`,
      details: { suggestions: near },
    },
  );
}

/** Asks a person for the provider, and for the address where one is needed. */
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

/** An address is asked for where the provider has none of its own. */
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
  // A word for a program stands for its address here too.
  const address = url === undefined ? undefined : (localServer(url)?.url ?? url);
  const local = address !== undefined && URL.canParse(address) && isHere(new URL(address));
  return { provider, word, title, local, ...(address === undefined ? {} : { url: address }) };
}

function isHere(address: URL): boolean {
  return localServerAt(address) !== undefined || /^(localhost|127\.|\[::1\])/.test(address.hostname);
}
