import { isRemoteOnly } from '../../base/remote-only.ts';
import { defineServer, type ServerDefinition } from '../../servers/definition.ts';
import type { ExitCode } from '../exit-codes.ts';
import { usage } from '../failures.ts';
import { withHub, type Flags, type Session, type Texts } from '../session.ts';
import type { TypedEntry } from './add-anything.ts';
import { endpointFrom, splitPairs, wantsAnything, type AddWords } from './add-words.ts';

interface AddFlags
  extends Texts<'cwd' | 'transport' | 'name'>, Flags<'replace' | 'yes' | 'remoteOnly' | 'offline'> {
  readonly env?: readonly string[];
  readonly header?: readonly string[];
  readonly test: boolean;
}

export async function add(args: AddFlags & AddWords, session: Session): Promise<ExitCode | void> {
  const { env = [], header = [], cwd, transport } = args;
  const flags = { ...args, env, header, remoteOnly: args.remoteOnly ?? isRemoteOnly(session.env) };
  const anything = await wantsAnything(args, session);
  if (anything) {
    checkPlain(args);
    const { addAnything } = await import('./add-anything.ts');
    return await withHub(session, (onHub) => addAnything({ ...flags, ...anything }, onHub));
  }
  const { pairs, words } = splitPairs(args);
  const typed = { words, separated: args.argv.includes('--'), env, header, cwd, transport };
  // Checked before a hub is started for it.
  const entry = entryOf(defineServer({ id: args.first ?? '', endpoint: endpointFrom(typed, session.cwd) }));
  const input = { from: 'words', text: '' } as const;
  const { addAnything } = await import('./add-anything.ts');
  const plain = { ...flags, env: [], header: [], pairs, input, entry, name: entry.name };
  return await withHub(session, (onHub) => addAnything(plain, onHub));
}

/** A name with a command or an address, as it was typed. */
function entryOf({ id: name, endpoint }: ServerDefinition): TypedEntry {
  const { kind: transport, ...rest } = endpoint;
  return { name, transport, ...rest };
}

function checkPlain(given: AddFlags): void {
  const flag = (['cwd', 'transport'] as const).find((name) => given[name] !== undefined);
  if (flag === undefined) return;
  throw usage(
    `--${flag} needs a name and a command or URL.`,
    `plug add NAME --${flag} … -- COMMAND, or plug add NAME URL`,
  );
}
