import { resolve } from 'node:path';
import { defined } from '../../base/defined.ts';
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
import { mustConfirm, withHub, type Flags, type HubSession, type Session, type Texts } from '../session.ts';
import { endpointFrom, wantsAnything, type AddWords } from './add-words.ts';

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
  const typed = { words: args.more, separated: args.argv.includes('--'), env, header, cwd, transport };
  // Checked before a hub is started for it.
  const definition = defineServer({ id: args.first ?? '', endpoint: endpointFrom(typed, session.cwd) });
  return await withHub(session, (onHub) => addDefinition(definition, flags, onHub));
}

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
  { test, replace = false, yes, remoteOnly }: AddFlags,
  session: HubSession,
): Promise<void> {
  const { hub, out, signal } = session;
  const { id } = definition;
  if (remoteOnly) declineLocal(definition);
  const plan = planOf(definition, test, (await hub.status()).home);
  renderPlan(plan, out);
  await mustConfirm(session, `Add ${id}?`, { yes, refused: 'Nothing was added.' });
  const outcome = await out.working(`${test ? 'Trying' : 'Saving'} ${id}`, () =>
    hub.servers.add({ definition, test, replace }, { signal }),
  );
  out.document({ ...outcome, plan });
  out.line(DONE, outcome.summary);
  renderTrust(outcome.server, out);
  out.line(faint(`Next: plug tools ${id}`));
}

function declineLocal({ id, name, endpoint }: ServerDefinition): void {
  if (endpoint.kind !== 'stdio') return;
  const { command, args } = endpoint;
  const declined = declinedRemotely({ name, transport: 'stdio', command, args, needs: [], extra: {} });
  if (declined !== undefined) throw userError('denied', declined, { server: id });
}

/** What the person agrees to. Values of variables and headers stay unseen: they may be secret. */
type Plan = ReturnType<typeof planOf>;

function planOf(definition: ServerDefinition, test: boolean, home: string) {
  // Shown as it will be saved: with references in place of secrets.
  const { definition: saved, keys } = takeKeys(definition);
  const { id: server, endpoint } = saved;
  const rest = { seals: keys.map(({ name }) => name), savedIn: shortHome(resolve(home)), test };
  if (endpoint.kind !== 'stdio') {
    const headers = Object.keys(endpoint.headers);
    return { server, transport: endpoint.kind, runs: describeEndpoint(endpoint), env: [], headers, ...rest };
  }
  const { command, args, cwd } = endpoint;
  const runs = shellWords([command, ...args]);
  const env = Object.keys(endpoint.env);
  return { server, transport: endpoint.kind, runs, ...defined({ folder: cwd }), env, headers: [], ...rest };
}

function renderPlan(plan: Plan, out: Output): void {
  const row = (label: string, text: string): void => {
    if (text !== '') out.line(faint(`  ${label.padEnd(8)} `), text);
  };
  out.line(strong(`Plan for ${plan.server}`));
  row(plan.transport === 'stdio' ? 'runs' : 'contacts', plan.runs);
  row('folder', 'folder' in plan ? (plan.folder ?? '') : '');
  row('env', plan.env.join(', '));
  row('headers', plan.headers.join(', '));
  row('seals', plan.seals.join(', '));
  row('saved in', `the database in ${plan.savedIn}`);
  row('then', plan.test ? 'connects once, and saves it only if that works' : 'saves it without trying');
}
