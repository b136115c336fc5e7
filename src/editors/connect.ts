import { stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import type { Clock } from '../base/clock.ts';
import { defined } from '../base/defined.ts';
import { PlugError } from '../base/errors.ts';
import type { Ids } from '../base/ids.ts';
import { isObject } from '../base/json.ts';
import { defineServer, type Endpoint } from '../servers/definition.ts';
import type { Client, ClientName, ClientPlace, Machine } from '../servers/clients/client.ts';
import type { GatewayAddress, GatewayCommand } from '../hub/client-files.ts';
import { readClientText } from '../servers/clients/client-text.ts';
import { connectableNamed } from '../servers/clients/clients.ts';
import { parseText } from '../servers/clients/documents/parse.ts';
import type { FileJournal, WrittenFile } from '../servers/clients/file-journal.ts';
import { hasHostToken, isOurs } from '../servers/clients/our-entry.ts';
import { writeEntry } from '../servers/clients/write-entry.ts';
import { editText } from './edit.ts';
import { emacsPackage } from './emacs-package.ts';
import type { EntryEdit } from './layout.ts';
import { planRemoval, takeOut } from './take-out.ts';
import { rewriteFile } from './write-file.ts';

const OUR_NAME = 'plugboard';

export interface ConnectOptions {
  readonly machine: Machine;
  readonly clock: Clock;
  readonly ids: Ids;
  /** The user's own file unless said otherwise. */
  readonly scope?: 'user' | 'project';
  readonly dryRun?: boolean;
  /** Every file that is written is noted there first. */
  readonly journal: FileJournal;
}

export interface ConnectOutcome {
  readonly client: ClientName;
  readonly file: string;
  readonly changed: boolean;
  readonly backup?: string;
  readonly warnings: readonly string[];
  /** The entry that was there holds the token of a host. */
  readonly hadToken?: boolean;
  /** What a dry run would write; both texts are whole files. */
  readonly change?: { readonly before: string; readonly after: string };
}

export async function connectClient(
  name: string,
  gateway: GatewayCommand | GatewayAddress,
  options: ConnectOptions,
): Promise<ConnectOutcome> {
  const client = connectableNamed(name);
  const place = await placeOf(client, options);
  const home = homeOf(options);
  const env = client.name === 'emacs' ? {} : defined({ PLUG_HOME: home });
  const endpoint: Endpoint =
    'url' in gateway ? { kind: 'http', ...gateway } : { kind: 'stdio', ...gateway, env };
  const definition = defineServer({ id: OUR_NAME, endpoint });
  if (client.name === 'emacs' && 'url' in gateway) throw usesSocket();
  const { entry: written, warnings } = writeEntry(client, definition);
  const own = defined({ loadPath: emacsPackage, home });
  const entry = client.name === 'emacs' ? { ...written, ...own } : written;
  const edit: EntryEdit = { ...editAt(client, place), entry };
  const used = (await exists(place.path)) || (await exists(dirname(place.path)));
  const hint = used ? [] : [`${client.title} has not been used here yet: ${place.path} is new.`];
  const outcome = await write(client, place, edit, options);
  const all = [...warnings, ...(outcome.changed ? hint : [])];
  return { client: client.name, file: place.path, ...outcome, warnings: all };
}

/** Clients are started from a desktop, where nothing that is set in a shell counts. A shared file has no folder of ours. */
function homeOf({ machine, scope }: ConnectOptions): string | undefined {
  const home = machine.env['PLUG_HOME'];
  return home === undefined || home === '' || scope === 'project' ? undefined : resolve(home);
}

function usesSocket(): PlugError {
  const message = 'Emacs uses the socket of the hub, which needs no token.';
  return new PlugError('unsupported', message, { owner: 'you', remedy: 'Connect it without --http.' });
}

export async function disconnectClient(name: string, options: ConnectOptions): Promise<ConnectOutcome> {
  const client = connectableNamed(name);
  const place = await placeOf(client, options);
  const outcome = { client: client.name, file: place.path, warnings: [] };
  if (!(await exists(place.path))) return { ...outcome, changed: false };
  let hadToken = false;
  const at = editAt(client, place);
  const check = (found: unknown): void => {
    at.check?.(found);
    hadToken = hasHostToken(found);
  };
  const { path, syntax } = place;
  const edit: EntryEdit = { ...at, check, entry: null };
  const removal = await planRemoval(path, syntax, edit);
  if (options.dryRun) {
    const { before, after } = removal;
    return { ...outcome, changed: before !== after, change: { before, after }, hadToken };
  }
  const edited = (text: string): string => editText(path, syntax, text, edit);
  return {
    ...outcome,
    ...(await takeOut(path, removal, {
      ...options,
      note: noteIn(client, place, edit, options),
      edited,
      foldersMadeFor: (made) => options.journal.foldersMadeFor(made),
    })),
    hadToken,
  };
}

async function write(
  client: Client,
  place: ClientPlace,
  edit: EntryEdit,
  options: ConnectOptions,
): Promise<Pick<ConnectOutcome, 'changed' | 'backup' | 'change'>> {
  const { path, syntax } = place;
  const edited = (text: string): string => editText(path, syntax, text, edit);
  if (!options.dryRun) {
    return await rewriteFile(path, edited, { ...options, note: noteIn(client, place, edit, options) });
  }
  const read = await readClientText(path);
  if (read.kind === 'unreadable') {
    throw new PlugError('bad_config', `${path} cannot be read: ${read.reason}.`, { owner: 'you' });
  }
  const before = read.kind === 'ok' ? read.text : '';
  const after = edited(before);
  return { changed: before !== after, change: { before, after } };
}

/** Notes what is written in the journal, with whose file it is and where our entry stands in it. */
function noteIn(
  { name }: Client,
  { syntax }: ClientPlace,
  { container, list, key }: EntryEdit,
  { journal }: ConnectOptions,
): (file: Omit<WrittenFile, 'client' | 'entry'>) => Promise<void> {
  return (file) => journal.note({ ...file, client: name, entry: { syntax, container, list, key } });
}

function editAt(client: Client, place: ClientPlace): Omit<EntryEdit, 'entry'> {
  const { container, list = false } = place;
  return { container, list, key: OUR_NAME, check: refuseStranger(client, place) };
}

/** An entry of our name that starts something else is the user's own. */
function refuseStranger(client: Client, place: ClientPlace): (found: unknown) => void {
  return (found) => {
    if (isOurs(found)) return;
    throw new PlugError('already_exists', `${place.path} has a server “${OUR_NAME}” that is not ours.`, {
      owner: 'you',
      remedy: `Rename that server in ${client.title}, then try again.`,
      details: { file: place.path },
    });
  };
}

/** The file that is there, or else the first one; in it, the container that is there. */
export async function placeOf(
  client: Client,
  { machine, scope = 'user' }: Pick<ConnectOptions, 'machine' | 'scope'>,
): Promise<ClientPlace> {
  const all = client.places(machine).filter((place) => !place.endings && !place.inEach);
  const places = all.filter((place) => place.scope === scope);
  // Some clients have a file per project only.
  const first = places[0] ?? all.find((place) => place.scope === 'project');
  if (!first || (places.length === 0 && scope === 'project')) {
    const why = `${client.title} reads no servers from a file of the ${scope}.`;
    throw new PlugError('unsupported', why, { owner: 'you' });
  }
  const known = await Promise.all(places.map(({ path }) => exists(path)));
  const chosen = places[known.indexOf(true)] ?? first;
  const inFile = places.filter(({ path }) => path === chosen.path);
  if (inFile.length < 2) return chosen;
  const read = await readClientText(chosen.path);
  const parsed = read.kind === 'ok' ? parseText(chosen.syntax, read.text) : undefined;
  if (parsed?.kind !== 'ok') return chosen;
  // The longest container that exists: opencode has its servers at one of two depths.
  return inFile.findLast(({ container }) => isContainer(parsed.document.value(container))) ?? chosen;
}

function isContainer(value: unknown): boolean {
  return Array.isArray(value) || (isObject(value) && typeof value['type'] !== 'string');
}

export async function exists(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined)) !== undefined;
}
