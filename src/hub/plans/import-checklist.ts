import { timeoutSignal } from '../../base/clock.ts';
import { defined } from '../../base/defined.ts';
import { ignore } from '../../base/errors.ts';
import type { NextStep } from '../../base/remedy.ts';
import { nextStep } from '../../base/remedy-command.ts';
import type { ResolvedServer } from '../../servers/sources.ts';
import type { Core } from '../core.ts';
import type { OptionsOf, InputOf } from '../operations/operation.ts';
import type { operations } from '../operations/table.ts';
import type { ImportCheck } from '../plans.ts';
import { stateOf } from '../views.ts';
import { serverKey, type Workspace } from '../workspace.ts';

type Checklist = typeof operations.imports.checklist;

/** How each server stands after it was looked at; a person sees at once what is theirs to do. */
export async function checklistOf(
  core: Core,
  workspace: Workspace,
  { ids, waitMs = 0, signal, onProgress }: InputOf<Checklist> & OptionsOf<Checklist>,
): Promise<readonly ImportCheck[]> {
  const servers = ids.map((id) => workspace.resolved(id));
  const deadline = timeoutSignal(waitMs);
  const until = signal ? AbortSignal.any([signal, deadline]) : deadline;
  let done = 0;
  const looks = servers.map(async ({ definition }) => {
    await core.firstLooks?.ended([serverKey(definition)]);
    done += 1;
    if (!until.aborted) onProgress?.({ done, total: servers.length });
  });
  const looked = Promise.all(looks);
  ignore(looked, 'the looks go on when the wait is over');
  if (waitMs > 0) await Promise.race([looked, aborted(until)]);
  return servers.map((server) => checkOf(core, workspace, server));
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}

function checkOf(core: Core, workspace: Workspace, server: ResolvedServer): ImportCheck {
  const { id } = server.definition;
  const key = serverKey(server.definition);
  const state = stateOf(core, server);
  const { reason: says, remedy, next } = state;
  const step = defined({ remedy, next });
  if (state.kind === 'disabled') return { id, is: 'off', says, ...step };
  // A rejected or missing key and a missing sign-in look alike; the remedy tells them apart.
  if (state.kind === 'needs-sign-in')
    return { id, is: remedy?.do === 'sign-in' ? 'needs-sign-in' : 'needs-key', says, ...step };
  if (state.kind === 'needs-input')
    return { id, is: 'needs-key', says, ...step, ...keyStep(id, state.missing) };
  if (state.kind === 'failed' && state.missingCommand !== undefined)
    return { id, is: 'needs-program', says: `${state.missingCommand} isn't installed.`, ...step };
  if (state.kind === 'failed') return { id, is: verdictOf(remedy?.do), says, ...step };
  const tools = core.pool.manifest(key)?.tools.length;
  if (tools !== undefined)
    return { id, is: 'fine', says: `${tools} ${tools === 1 ? 'tool' : 'tools'}.`, tools };
  const why = core.firstLooks?.whyNot(workspace.pooled(server));
  return { id, is: 'waits', says: why ?? says, ...step };
}

/** The key goes into the vault, where the server finds it. */
function keyStep(server: string, missing: readonly string[]): NextStep {
  const [, kind, name] = /^\$\{(input|vault):([\w./@-]+)/.exec(missing[0] ?? '') ?? [];
  if (name === undefined) return {};
  return nextStep({ do: 'set-secret', name: kind === 'input' ? `${server}/${name}` : name, server });
}

function verdictOf(remedy: string | undefined): ImportCheck['is'] {
  if (remedy === 'install') return 'needs-program';
  return remedy === 'set-secret' ? 'needs-key' : 'failed';
}
