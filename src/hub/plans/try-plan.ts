import { PlugError } from '../../base/errors.ts';
import { fingerprintOf } from '../../servers/definition.ts';
import { connectedTo, unsaved } from '../add-server.ts';
import type { TryOutcome } from '../hub.ts';
import { explainedFailure } from '../explained.ts';
import { checkRemoteOnly } from '../remote-only.ts';
import { literalSecretsIn } from '../secrets-in.ts';
import { trialKey } from '../trials.ts';
import type { Workspace } from '../workspace.ts';
import { definitionOf, type Install } from './install-plan.ts';
import type { PlanCore } from './open.ts';

/** Connects beside whatever runs under the same id, and leaves nothing in vault or database. */
export async function tryPlan(core: PlanCore, workspace: Workspace, work: Install): Promise<TryOutcome> {
  const { definition } = definitionOf(work.made, work.request);
  checkRemoteOnly(core, definition);
  // Two at once may conflict: a second trial waits for the first to end.
  const before = core.trying.get(definition.id);
  const mine = (async (): Promise<TryOutcome> => {
    await Promise.allSettled([before]);
    return tryNow(core, workspace, work);
  })();
  core.trying.set(definition.id, mine);
  try {
    return await mine;
  } finally {
    if (core.trying.get(definition.id) === mine) core.trying.delete(definition.id);
  }
}

async function tryNow(core: PlanCore, workspace: Workspace, work: Install): Promise<TryOutcome> {
  const { signal, onProgress: tell } = work.options;
  const { definition, secrets } = definitionOf(work.made, work.request);
  const { pool, redactor, trials, decisions } = core;
  for (const { value } of secrets) redactor.learn(value.reveal());
  for (const secret of literalSecretsIn(definition)) redactor.learn(secret);
  const lent = new Map(secrets.map(({ name, value }) => [name, value]));
  const key = trialKey(definition.id);
  // A fingerprint of its own: it shares no connection with a server that is there already.
  const fingerprint = `${fingerprintOf(definition)}@${core.ids.next('try')}`;
  const { folder } = workspace.pooled({ definition, shadowed: [] });
  pool.put({ key, definition, fingerprint, folder });
  try {
    return await trials.during(definition, { tell, secrets: lent }, async () => {
      signal?.throwIfAborted();
      await (await pool.connection(key)).start('USER', signal);
      const { tools = [], serverInfo } = pool.manifest(key) ?? {};
      const summary = connectedTo(definition.id, serverInfo, tools);
      tell?.({ kind: 'step', text: summary });
      return { summary, tools: tools.map(({ name }) => name) };
    });
  } catch (error) {
    if (signal?.aborted) {
      const why = 'The test was cancelled. Nothing was saved.';
      throw new PlugError('cancelled', why, { owner: 'you', server: definition.id });
    }
    const why = explainedFailure(definition, error);
    // It is there and it answers: what is missing is only its user's own sign-in.
    if (why.code === 'sign_in_needed' && why.remedy?.do === 'sign-in') {
      return { summary: `${definition.name} works, and waits for you to sign in.`, tools: [], signIn: true };
    }
    const what = why.code === 'sign_in_needed' ? 'the key' : 'it';
    throw unsaved(why, definition.id, `Correct ${what}, then try again.`);
  } finally {
    await pool.remove(key);
    pool.forget(key);
    await decisions.known.forget(key);
  }
}
