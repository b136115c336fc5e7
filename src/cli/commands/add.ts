import { resolve } from 'node:path';
import { PlugError } from '../../base/errors.ts';
import type { Hub } from '../../hub/hub.ts';
import { defineServer, describeEndpoint, type ServerDefinition } from '../../servers/definition.ts';
import { takeKeys } from '../../servers/clients/plaintext-keys.ts';
import { declinedRemotely } from '../../servers/paste/remote-only.ts';
import { renderTrust } from '../render/trust.ts';
import { exitCodes, type ExitCode } from '../exit-codes.ts';
import type { Output } from '../output.ts';
import { shortHome } from '../render/path.ts';
import { shellWords } from '../render/words.ts';
import { confirm, type Session } from '../session.ts';
import { endpointFrom, type EndpointWords } from '../endpoint.ts';

export interface AddArgs {
  readonly definition: ServerDefinition;
  readonly test: boolean;
  readonly replace: boolean;
  readonly yes: boolean;
  readonly remoteOnly: boolean;
}

/** `plug add`: shows what will run, asks, tries it, and only then saves it. */
export async function add(hub: Hub, args: AddArgs, session: Session): Promise<ExitCode> {
  const { out } = session;
  const { definition } = args;
  if (args.remoteOnly) declineLocal(definition);
  const plan = planOf(definition, args, (await hub.status()).home);
  renderPlan(plan, out);
  if (!(await confirm(session, `Add ${definition.id}?`, args.yes))) {
    throw new PlugError('cancelled', 'Nothing was added.', { owner: 'you' });
  }
  const doing = `${args.test ? 'Trying' : 'Saving'} ${definition.id}`;
  const { test, replace } = args;
  const outcome = await out.working(doing, () =>
    hub.servers.add(definition, { test, replace, signal: session.signal }),
  );
  out.document({ ...outcome, plan });
  out.line({ style: 'good', text: '✔ ' }, outcome.summary);
  renderTrust(outcome.server, out);
  out.line({ style: 'faint', text: `Next: plug tools ${definition.id}` });
  return exitCodes.ok;
}

function declineLocal({ id, name, endpoint }: ServerDefinition): void {
  if (endpoint.kind !== 'stdio') return;
  const { command, args } = endpoint;
  const declined = declinedRemotely({ name, transport: 'stdio', command, args, needs: [], extra: {} });
  if (declined !== undefined) throw new PlugError('denied', declined, { owner: 'you', server: id });
}

export function definitionOf(name: string, typed: EndpointWords, cwd: string): ServerDefinition {
  return defineServer({ id: name, endpoint: endpointFrom(typed, cwd) });
}

/** What the person agrees to. Values of variables and headers stay unseen: they may be secret. */
interface Plan {
  readonly server: string;
  readonly transport: string;
  readonly runs: string;
  readonly folder?: string;
  readonly env: readonly string[];
  readonly headers: readonly string[];
  /** Names in the vault: what was typed readable goes there. */
  readonly seals: readonly string[];
  readonly savedIn: string;
  readonly test: boolean;
}

function planOf(definition: ServerDefinition, { test }: AddArgs, home: string): Plan {
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
    if (text !== '') out.line({ style: 'faint', text: `  ${label.padEnd(8)} ` }, text);
  };
  out.line({ style: 'strong', text: `Plan for ${plan.server}` });
  row(plan.transport === 'stdio' ? 'runs' : 'contacts', plan.runs);
  row('folder', plan.folder ?? '');
  row('env', plan.env.join(', '));
  row('headers', plan.headers.join(', '));
  row('seals', plan.seals.join(', '));
  row('saved in', `the database in ${plan.savedIn}`);
  row('then', plan.test ? 'connects once, and saves it only if that works' : 'saves it without trying');
}
