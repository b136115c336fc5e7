import { PlugError } from '../../base/errors.ts';
import type { Risk } from '../../catalog/risk.ts';
import { parseToolRef } from '../../catalog/tool.ts';
import type { PooledServer } from '../../connections/pool.ts';
import { describeGrant, type Grant, type GrantScope, staleness } from '../../policy/grant.ts';
import { accountOfId } from '../../vault/account-id.ts';
import { noAccount } from '../../calls/used-accounts.ts';
import type { Core } from '../core.ts';
import type { GrantView, NewGrant } from '../hub.ts';
import type { Workspace } from '../workspace.ts';
import type { Implementations } from '../operations/table.ts';
import { decide } from '../../policy/decide.ts';
import type { Client } from '../client.ts';
import { withoutDisk } from '../../policy/approvals/card.ts';
import { isRequester } from '../../policy/decision.ts';
import type { Approval } from '../decisions.ts';
import { defined } from '../../base/defined.ts';
import { entryOf, knownTool, noTool } from './tool-settings-api.ts';

export function grantsOf(
  core: Core,
  workspace: Workspace,
  { principal }: Pick<Client, 'principal'>,
): Implementations['grants'] {
  const { grants } = core.decisions;
  return {
    list: async ({ server }) => {
      const key = server === undefined ? undefined : workspace.pooled(workspace.resolved(server)).key;
      const all = await grants.list(key === undefined ? {} : { server: key });
      return Promise.all(all.map((grant) => viewOf(core, workspace, grant)));
    },
    add: async (wanted) => {
      const { server, scope, risk } = scopeOf(core, workspace, wanted);
      if (risk === 'destructive' && scope.kind === 'tool' && wanted.until === undefined) {
        // A grant that would never count is worse than none: the person would rely on it.
        const { tool } = wanted;
        const why = `${tool} is destructive, so it can’t be granted permanently.`;
        throw new PlugError('usage', why, { owner: 'you', remedy: { do: 'grant', tool, once: true } });
      }
      const account = await core.decisions.accounts.of(server, wanted.account);
      if (!account && wanted.account !== undefined) throw noAccount(server.definition.id, wanted.account);
      const grant = await grants.add({
        principal: principal.id,
        server: server.key,
        fingerprint: server.fingerprint,
        ...defined({ account: account?.id }),
        scope,
        ...defined({ until: wanted.until }),
        session: wanted.session ?? false,
        source: 'plug grants add',
      });
      return viewOf(core, workspace, grant);
    },
    revoke: ({ id }) => grants.revoke(id),
  };
}

function scopeOf(
  core: Core,
  workspace: Workspace,
  { tool: wanted, args, once = false, argsHash }: NewGrant,
): { readonly server: PooledServer; readonly scope: GrantScope; readonly risk?: Risk } {
  if (!wanted.includes('/')) {
    if (once || args) {
      const server = wanted.slice(0, 80);
      const why = `“${server}” names a server: --once and --args need one tool.`;
      throw new PlugError('usage', why, { owner: 'you', remedy: { do: 'list-tools', server } });
    }
    return { server: workspace.pooled(workspace.resolved(wanted)), scope: { kind: 'reads' } };
  }
  const { server: id, tool } = parseToolRef(wanted);
  const server = workspace.pooled(workspace.resolved(id));
  if (!core.pool.manifest(server.key)) {
    throw noTool(id, `${id} was never connected, so its tools are not known.`);
  }
  const {
    hash,
    tool: { risk },
  } = knownTool(core, workspace, { server: id, tool }).entry;
  if (once) {
    const bound = argsHash === undefined ? {} : { argsHash };
    return { server, risk, scope: { kind: 'once', tool, hash, ...bound } };
  }
  if (args) return { server, risk, scope: { kind: 'arguments', tool, hash, pattern: args } };
  return { server, risk, scope: { kind: 'tool', tool, hash } };
}

async function viewOf(core: Core, workspace: Workspace, grant: Grant): Promise<GrantView> {
  const serverId = workspace.idOf(grant.server);
  const server = serverId === undefined ? undefined : workspace.pooled(workspace.resolved(serverId));
  const name = grant.account === undefined ? undefined : accountOfId(grant.account);
  const account = server && (await core.decisions.accounts.of(server, name));
  const stale = staleness(grant, {
    now: core.clock.now(),
    fingerprint: server?.fingerprint,
    account: account?.id,
    hashOf: (tool) => {
      if (server && core.pool.manifest(server.key)) return entryOf(core, server, tool)?.hash;
      // A server that was never connected has not changed either.
      return grant.scope.kind === 'reads' ? undefined : grant.scope.hash;
    },
  });
  const says = describeGrant(grant, serverId ?? grant.server);
  return { ...grant, ...defined({ serverId }), says, ...defined({ stale }) };
}

export function policyOf(
  core: Core,
  workspace: Workspace,
  { principal }: Pick<Client, 'principal'>,
): Implementations['policy'] {
  const { rules, known, question, policy } = core.decisions;
  return {
    explain: async ({ tool, args = {} }) => {
      const { server, entry } = knownTool(core, workspace, known.parseName(tool));
      return decide(await question(server, entry, { principal: principal.id, args }), policy.snapshot);
    },
    defaults: () => Promise.resolve(policy.rules.defaults),
    setDefaults: (change) => rules.setDefaults(change),
    rules: () => Promise.resolve(rules.view()),
  };
}

/** The queue as one client sees it: the hub says who answers, not the client. */
export function approvalsOf(
  { decisions: { approvals } }: Core,
  client: Client,
): Implementations['approvals'] {
  const by = { id: client.id, kind: client.kind };
  return {
    list: () => Promise.resolve(approvals.list().map((each) => shownTo(client, each))),
    get: async ({ id }) => shownTo(client, approvals.get(id)),
    answer: ({ id, ...answer }) => approvals.answer(id, answer, by),
    answerBatch: async ({ batch, ...answer }) => approvals.answerBatch(batch, answer, by),
  };
}

/** The program that asked sees its own question without the text of files that it may not have read. */
export function shownTo({ id }: Client, approval: Approval): Approval {
  const { requester } = approval;
  return requester.kind !== 'person' && isRequester(requester, id) ? withoutDisk(approval) : approval;
}
