import { resolve } from 'node:path';
import { isRemoteOnly } from '../../base/remote-only.ts';
import { shellWords } from '../../base/shell-words.ts';
import { takeKeys } from '../../servers/clients/plaintext-keys.ts';
import { defineServer, describeEndpoint, type ServerDefinition } from '../../servers/definition.ts';
import { declinedRemotely } from '../../servers/paste/remote-only.ts';
import type { ExitCode } from '../exit-codes.ts';
import { usage, userError } from '../failures.ts';
import { DONE, faint, strong, type Output } from '../output.ts';
import { shortHome } from '../render/path.ts';
import { renderTrust } from '../render/plan.ts';
import { mustConfirm, withHub, type HubSession, type Session } from '../session.ts';
import { endpointFrom, wantsAnything, type AddWords } from './add-words.ts';

export interface AddFlags {
  readonly env?: readonly string[];
  readonly header?: readonly string[];
  readonly cwd?: string;
  readonly transport?: string;
  readonly test: boolean;
  readonly replace?: boolean;
  readonly yes?: boolean;
  readonly name?: string;
  readonly remoteOnly?: boolean;
  readonly offline?: boolean;
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
  const typed = { words: args.more, separated: args.argv.includes('--'), env, header, cwd, transport };
  // What was typed wrong is said before any hub is started for it.
  const definition = defineServer({ id: args.first ?? '', endpoint: endpointFrom(typed, session.cwd) });
  return await withHub(session, (onHub) => addDefinition(definition, flags, onHub));
}

/** A plan says itself where it runs and how it is reached. */
function checkPlain(given: AddFlags): void {
  const flag = (['cwd', 'transport'] as const).find((name) => given[name] !== undefined);
  if (flag === undefined) return;
  throw usage(
    `--${flag} goes with a name and a command or an address.`,
    `plug add NAME --${flag} … -- COMMAND, or plug add NAME URL`,
  );
}

async function addDefinition(
  definition: ServerDefinition,
  args: AddFlags,
  session: HubSession,
): Promise<void> {
  const { hub, out } = session;
  if (args.remoteOnly) declineLocal(definition);
  const plan = planOf(definition, args.test, (await hub.status()).home);
  renderPlan(plan, out);
  await mustConfirm(session, `Add ${definition.id}?`, { yes: args.yes, refused: 'Nothing was added.' });
  const doing = `${args.test ? 'Trying' : 'Saving'} ${definition.id}`;
  const { test, replace = false } = args;
  const outcome = await out.working(doing, () =>
    hub.servers.add({ definition, test, replace }, { signal: session.signal }),
  );
  out.document({ ...outcome, plan });
  out.line(DONE, outcome.summary);
  renderTrust(outcome.server, out);
  out.line(faint(`Next: plug tools ${definition.id}`));
}

function declineLocal({ id, name, endpoint }: ServerDefinition): void {
  if (endpoint.kind !== 'stdio') return;
  const { command, args } = endpoint;
  const declined = declinedRemotely({ name, transport: 'stdio', command, args, needs: [], extra: {} });
  if (declined !== undefined) throw userError('denied', declined, { server: id });
}

/** What the person agrees to. Values of variables and headers stay unseen: they may be secret. */
interface Plan {
  readonly server: string;
  readonly transport: string;
  readonly runs: string;
  readonly folder?: string;
  readonly env: readonly string[];
  readonly headers: readonly string[];
  readonly seals: readonly string[];
  readonly savedIn: string;
  readonly test: boolean;
}

function planOf(definition: ServerDefinition, test: boolean, home: string): Plan {
  // Shown as it will be saved: with references in place of secrets.
  const { definition: saved, keys } = takeKeys(definition);
  const { id, endpoint } = saved;
  return {
    server: id,
    transport: endpoint.kind,
    runs:
      endpoint.kind === 'stdio'
        ? shellWords([endpoint.command, ...endpoint.args])
        : describeEndpoint(endpoint),
    ...(endpoint.kind === 'stdio' && endpoint.cwd !== undefined ? { folder: endpoint.cwd } : {}),
    env: endpoint.kind === 'stdio' ? Object.keys(endpoint.env) : [],
    headers: endpoint.kind === 'stdio' ? [] : Object.keys(endpoint.headers),
    seals: keys.map(({ name }) => name),
    savedIn: shortHome(resolve(home)),
    test,
  };
}

function renderPlan(plan: Plan, out: Output): void {
  const row = (label: string, text: string): void => {
    if (text !== '') out.line(faint(`  ${label.padEnd(8)} `), text);
  };
  out.line(strong(`Plan for ${plan.server}`));
  row(plan.transport === 'stdio' ? 'runs' : 'contacts', plan.runs);
  row('folder', plan.folder ?? '');
  row('env', plan.env.join(', '));
  row('headers', plan.headers.join(', '));
  row('seals', plan.seals.join(', '));
  row('saved in', `the database in ${plan.savedIn}`);
  row('then', plan.test ? 'connects once, and saves it only if that works' : 'saves it without trying');
}
