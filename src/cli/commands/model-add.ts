import { defined } from '../../base/defined.ts';
import { toPlugError, type PlugError } from '../../base/errors.ts';
import type { ModelView, NewModel } from '../../hub/hub.ts';
import { PROVIDERS } from '../../hub/models/providers.ts';
import { cancelled, usage, userError } from '../failures.ts';
import { DONE, faint } from '../output.ts';
import { renderError } from '../render/error.ts';
import { askYesNo, type HubSession, type Session, type Texts } from '../session.ts';
import { askPlace, checkTypedKey, completePlace, isPlace, placeFrom, readKey } from './model-place.ts';
import type { KeyWish, ModelPlace } from './model-place.ts';
import { placeWords } from './model.ts';
import { unlockIfLocked } from './secrets.ts';

interface AddModelArgs extends Texts<'name' | 'provider' | 'model' | 'url' | 'keyEnv'> {
  readonly extra: readonly string[];
  readonly key?: string | true;
  readonly priceIn?: number;
  readonly priceOut?: number;
  readonly context?: number;
  readonly default?: boolean;
}

export async function addModel(typed: AddModelArgs, session: HubSession): Promise<void> {
  checkTypedKey(typed.key, typed.extra);
  checkTogether(typed);
  const { hub, out } = session;
  const asks = session.terminal.interactive && !out.json;
  const known = await hub.models.list();
  const before = known.find(({ name }) => name === typed.name);
  const args = before && typed.provider === undefined ? asBefore(typed, before) : sorted(typed);
  const place = await findPlace(args, asks, session);
  const isAnother = before !== undefined && typed.provider !== undefined;
  if (isAnother && asks) {
    const question = `${before.name} is ${before.model} at ${placeWords(before)} now. Replace it?`;
    if (!(await askYesNo(session, question, 'no'))) throw cancelled(`${before.name} is unchanged.`);
  }
  await unlockIfLocked(session);
  const kept = before !== undefined && before.hasKey && isSamePlace(before, place);
  const wish = { key: args.key, keyEnv: args.keyEnv, place, kept, asks };
  const { key, model } = await chooseModel({ ...wish, given: await readKey(wish, session), args }, session);
  const name = args.name ?? (await chooseName(place, known, asks, session));
  const saved = await hub.models.save(newModel({ ...args, name, model }, place, key));
  out.document({ model: saved });
  tell(saved, session);
}

function asBefore(typed: AddModelArgs, before: ModelView): AddModelArgs {
  const { provider, model, url, price, contextTokens } = before;
  return {
    ...defined({ url, priceIn: price?.input, priceOut: price?.output, context: contextTokens }),
    ...typed,
    provider,
    model,
  };
}

function sorted(args: AddModelArgs): AddModelArgs {
  const { name, provider, model, ...rest } = args;
  if (name === undefined || !isPlace(name) || (provider !== undefined && isPlace(provider))) return args;
  return model === undefined ? { ...rest, ...defined({ provider: name, model: provider }) } : args;
}

function checkTogether({ key, keyEnv, priceIn, priceOut }: AddModelArgs): void {
  const remedy = { do: 'help', topic: 'model add' } as const;
  if (key !== undefined && keyEnv !== undefined)
    throw userError('usage', 'Give --key or --key-env, not both.', { remedy });
  if ((priceIn === undefined) !== (priceOut === undefined))
    throw userError('usage', '--price-in and --price-out go together.', { remedy });
}

async function findPlace(args: AddModelArgs, asks: boolean, session: Session): Promise<ModelPlace> {
  if (args.provider !== undefined) {
    const place = placeFrom(args.provider, args.url);
    return asks ? await completePlace(session, place) : place;
  }
  if (asks) return await askPlace(session, args.url);
  throw incomplete('Say where the model is.', args);
}

function isSamePlace({ provider, url }: ModelView, place: ModelPlace): boolean {
  const here = url ?? PROVIDERS[provider].url ?? '';
  const there = place.url ?? PROVIDERS[place.provider].url ?? '';
  return (
    provider === place.provider &&
    URL.canParse(here) &&
    URL.canParse(there) &&
    new URL(here).origin === new URL(there).origin
  );
}

interface Choosing extends KeyWish {
  readonly args: AddModelArgs;
  readonly given: string | undefined;
}

async function chooseModel(choosing: Choosing, session: HubSession) {
  const { args, asks, given } = choosing;
  if (args.model !== undefined) return { model: args.model, key: given };
  if (!asks) throw incomplete('Say which model it is, by its provider’s name.', args);
  const { out, terminal, signal } = session;
  const { offered, key } = await listOffered(choosing, session);
  offered.slice(0, SHOWN_MAX).forEach((id, index) => out.note(`  ${index + 1}  ${id}`));
  if (offered.length > SHOWN_MAX) out.note(faint(`  … and ${offered.length - SHOWN_MAX} more`));
  const hint = offered.length > 0 ? ' (a number, or a name)' : '';
  const answer = (await terminal.ask(`Which model${hint}: `, signal)).trim();
  const model = /^\d{1,3}$/.test(answer) ? (offered[Number(answer) - 1] ?? answer) : answer;
  if (model !== '') return { model, key };
  throw cancelled('No model was added.');
}

const SHOWN_MAX = 30;

/** Asks for a key if the provider turns out to want one. */
async function listOffered(
  { place, kept, given: key, args, asks }: Choosing,
  { hub, ...session }: HubSession,
): Promise<{ readonly offered: readonly string[]; readonly key: string | undefined }> {
  const { provider, url, title } = place;
  const name = kept ? args.name : undefined;
  const ask = (using: string | undefined): Promise<readonly string[]> =>
    session.out.working(`Asking ${title} for its models`, () =>
      hub.models.offered(defined({ provider, url, key: using, name })),
    );
  try {
    return { offered: await ask(key), key };
  } catch (error) {
    const failure = toPlugError(error);
    if (failure.code === 'usage') throw error;
    renderError(failure.toView(), session.out);
    if (failure.code !== 'sign_in_needed') return { offered: [], key };
    // A key that is not accepted would only be saved to fail later.
    const typed = await readKey({ key: true, keyEnv: undefined, place, kept, asks }, session);
    return { offered: await ask(typed), key: typed };
  }
}

async function chooseName(
  { word }: ModelPlace,
  known: readonly ModelView[],
  asks: boolean,
  { terminal, signal }: Session,
): Promise<string> {
  const taken = new Set(known.map(({ name }) => name));
  let free = word;
  for (let count = 2; taken.has(free); count += 1) free = `${word}-${count}`;
  if (!asks) return free;
  return (await terminal.ask(`Your name for it [${free}] `, signal)).trim() || free;
}

function newModel(
  args: AddModelArgs & { readonly name: string; readonly model: string },
  place: ModelPlace,
  key: string | undefined,
): NewModel {
  const { name, model, priceIn, priceOut, context: contextTokens, default: isDefault } = args;
  const { provider, url } = place;
  const price =
    priceIn === undefined || priceOut === undefined ? undefined : { input: priceIn, output: priceOut };
  return defined({ name, provider, model, url, price, contextTokens, key, isDefault });
}

function tell(saved: ModelView, { out }: Session): void {
  const key = saved.hasKey ? ', its key saved in the vault' : '';
  out.line(DONE, `${saved.name} is ${saved.model} at ${placeWords(saved)}${key}.`);
  if (saved.isDefault) out.line(faint('It is the default model.'));
  out.line(faint(`Next: plug model test ${saved.name}`));
}

function incomplete(message: string, { name, provider }: AddModelArgs): PlugError {
  return usage(message, `plug model add ${name ?? 'NAME'} ${provider ?? 'PROVIDER'} MODEL`);
}
