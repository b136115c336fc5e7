import type { JsonObject } from '../base/json.ts';
import { PlugError } from '../base/errors.ts';
import type { Secret } from '../base/secret.ts';
import { sentence } from '../base/sentence.ts';
import type { Remedy } from '../base/remedy.ts';
import type { PooledServer } from '../connections/pool.ts';
import { fingerprintOf, type ServerDefinition } from '../servers/definition.ts';
import { needsOf } from '../servers/plans/needs.ts';
import type { Core } from './core.ts';
import { explainedFailure } from './explained.ts';
import type { InstallOptions } from './hub.ts';
import { checkRemoteOnly } from './remote-only.ts';
import { literalSecretsIn } from './secrets-in.ts';
import { neededTitles, refusedAccess } from './refused-access.ts';
import { trialKey } from './trials.ts';
import type { Workspace } from './workspace.ts';

/** A definition with the keys that it refers to, before either is saved. */
export interface FilledServer {
  readonly definition: ServerDefinition;
  readonly secrets: readonly { readonly name: string; readonly value: Secret }[];
}

export interface TrialOutcome {
  readonly summary: string;
  readonly tools: readonly string[];
  /** The server works and waits for its user to sign in. */
  readonly signIn?: true;
  /** The connection in the pool, as long as `then` runs. */
  readonly key: string;
}

/**
 * The one trial, whoever asks for it: connects beside whatever runs under the same id, with keys that
 * are only lent. `then` runs while the connection lives; without it nothing is left.
 */
export function tryServer<T>(
  core: Core,
  workspace: Workspace,
  { filled, options }: { readonly filled: FilledServer; readonly options: InstallOptions },
  then: (outcome: TrialOutcome) => Promise<T>,
): Promise<T> {
  checkRemoteOnly(core, filled.definition);
  const { id } = filled.definition;
  return core.trials.oneAtATime(id, async () => {
    const { definition, secrets } = filled;
    const { pool, redactor, trials, ids, decisions } = core;
    for (const { value } of secrets) redactor.learn(value.reveal());
    for (const secret of literalSecretsIn(definition)) redactor.learn(secret);
    const key = trialKey(id);
    const { folder } = workspace.pooled({ definition, shadowed: [] });
    const same: PooledServer = { key, definition, fingerprint: fingerprintOf(definition), folder };
    // What runs already is not started twice: some programs bear no second one. Anything else gets a
    // fingerprint of its own, so that a failure touches no server that is there.
    pool.put(pool.runs(same) ? same : { ...same, fingerprint: `${same.fingerprint}@${ids.next('try')}` });
    workspace.trials.add(id);
    try {
      const lent = new Map(secrets.map(({ name, value }) => [name, value]));
      const outcome = await trials.during(definition, { tell: options.onProgress, secrets: lent }, () =>
        connectOnce(core, filled, key, options),
      );
      return await then(outcome);
    } finally {
      workspace.trials.delete(id);
      await pool.remove(key);
      pool.forget(key);
      await decisions.known.forget(key);
    }
  });
}

async function connectOnce(
  core: Core,
  filled: FilledServer,
  key: string,
  { signal, onProgress: tell }: InstallOptions,
): Promise<TrialOutcome> {
  const { pool } = core;
  const { definition } = filled;
  const { id: server } = definition;
  try {
    signal?.throwIfAborted();
    await (await pool.connection(key)).start('USER', signal, { patient: true });
    const { tools = [], serverInfo } = pool.manifest(key) ?? {};
    const summary = connectedTo(server, serverInfo, tools);
    tell?.({ kind: 'step', text: summary });
    return { summary, tools: tools.map(({ name }) => name), key };
  } catch (error) {
    if (signal?.aborted) {
      const why = 'The test was canceled. Nothing was saved.';
      throw new PlugError('cancelled', why, { owner: 'you', server });
    }
    const why = explainedFailure(definition, error);
    const meaning = why.code === 'sign_in_needed' ? await refusedAccess(core, filled, why) : why;
    if (meaning === 'sign-in') {
      const summary = `Connected to ${definition.name}. Sign in to use it.`;
      return { summary, tools: [], signIn: true, key };
    }
    throw unsaved(meaning, server);
  }
}

/** The failure of a trial. */
function unsaved(why: PlugError, server: string): PlugError {
  const { code, owner, message, details } = why;
  const needs = needsOf(details);
  const more = { server, details: { ...details }, cause: why };
  if (needs.length > 0) {
    const text = `${server} needs ${neededTitles(needs)}. Nothing was saved.`;
    return new PlugError('missing_input', text, { ...more, owner: 'you', remedy: remedyAfterTrial(why) });
  }
  const text = `${sentence(message)} Nothing was saved.`;
  return new PlugError(code, text, { ...more, owner, remedy: remedyAfterTrial(why) });
}

/** A server that was not saved cannot be restarted, edited or checked, and has no logs to look at. */
function remedyAfterTrial({ code, owner, remedy, details }: PlugError): Remedy | string {
  const needs = needsOf(details);
  if (needs.length > 0) return `Give ${neededTitles(needs)}, then try again.`;
  if (code === 'sign_in_needed') return 'Correct the key, then try again.';
  if (code === 'unreachable' && details?.['cause'] === 'ENOTFOUND' && owner === 'you')
    return 'Check the spelling of the address, then your network and DNS.';
  if (remedy?.do === 'restart' && owner !== 'server') {
    const first = owner === 'network' ? 'Check your network and proxy' : 'Correct it';
    return `${first}, then try again.`;
  }
  if (remedy && owner !== 'server' && !OF_SAVED_SERVERS.has(remedy.do)) return remedy;
  // Servers stay until their input ends: one that is done by itself set something up, or printed something.
  if (code === 'start_failed' && details?.['exitCode'] === 0)
    return 'Give the command that starts the server: this one exited without an error.';
  return { do: 'skip-test' };
}

const OF_SAVED_SERVERS = new Set<Remedy['do']>(['show-logs', 'set-secret', 'edit-server', 'check']);

/** “Connected to X, 12 tools including a, b, c.” */
function connectedTo(
  id: string,
  { title, name }: JsonObject = {},
  tools: readonly { readonly name: string }[],
): string {
  const names = [title, name].filter((each) => typeof each === 'string');
  const called = names.find((each) => each !== '') ?? id;
  if (tools.length === 0) return `Connected to ${called}, no tools.`;
  const some = tools.slice(0, 3).map((tool) => tool.name);
  const count = `${tools.length} ${tools.length === 1 ? 'tool' : 'tools'}`;
  return `Connected to ${called}, ${count}${tools.length > 3 ? ' including' : ':'} ${some.join(', ')}.`;
}
