import { toPlugError } from '../../base/errors.ts';
import type { DoctorCheck, DoctorRow } from '../hub.ts';
import { lookAtAuth, lookAtHandshake, lookAtSpawn, lookAtStderr } from './spawn-check.ts';
import { lookAtCommand } from './command-check.ts';
import { lookAtConfig, lookAtVariables, takesPart } from './config-check.ts';
import { lookAtEndpoint, lookForTls } from './endpoint-check.ts';
import type { CheckedServer } from './checked-server.ts';
import { failedBefore } from './recorded.ts';
import { cut, doctorLimits, fail, failedBy, pass, type Rows, skip } from './rows.ts';
import { lookAtPins, lookAtTools } from './tools-check.ts';
import type { Tool } from '../../catalog/tool.ts';
import { decide } from '../../policy/decide.ts';
import { featuredAt } from '../../servers/featured.ts';
import { needsNothing, resultText } from '../decisions/safe-read.ts';
import { LIBRARY } from '../client.ts';
import { toolsOf } from '../tools-api.ts';
import { causeContext, knownCause } from '../../connections/causes/known-causes.ts';

type Step = readonly [check: DoctorCheck, look: (checked: CheckedServer) => Rows | Promise<Rows>];

const FIRST: readonly Step[] = [
  ['config', lookAtConfig],
  ['variables', lookAtVariables],
];
const HANDSHAKE: Step = ['handshake', lookAtHandshake];
const LAST: readonly Step[] = [
  ['tools', lookAtTools],
  ['pins', lookAtPins],
];

const LOCAL: readonly Step[] = [
  ...FIRST,
  ['command', lookAtCommand],
  ['spawn', lookAtSpawn],
  ['stderr', lookAtStderr],
  HANDSHAKE,
  ...LAST,
];

const REMOTE: readonly Step[] = [
  ...FIRST,
  ['endpoint', lookAtEndpoint],
  HANDSHAKE,
  ['auth', lookAtAuth],
  ...LAST,
];

/** From cause to effect. Invariant: after the first step that fails, nothing is claimed about the rest. */
export async function* followChain(checked: CheckedServer): AsyncGenerator<DoctorRow, void, void> {
  const { id, examination } = checked;
  const local = checked.pooled.definition.endpoint.kind === 'stdio';
  const live: readonly Step[] = examination.live ? [['live', readLive]] : [];
  let cause: DoctorCheck | undefined;
  for (const [check, look] of [...(local ? LOCAL : REMOTE), ...live]) {
    if (cause !== undefined) {
      yield { ...skip(check, `Skipped: fix “${cause}” first.`), server: id };
      continue;
    }
    // The steps from here on need a server that was started.
    const starts = examination.live && check === (local ? 'spawn' : 'handshake');
    if (starts) await startLive(checked);
    const before = starts ? await failedStart(checked, check) : undefined;
    const rows = [before ?? (await look(checked))].flat();
    for (const row of rows) yield { ...row, server: id };
    if (rows.some(({ status }) => status === 'fail')) cause = check;
    if (check === 'config' && !takesPart(checked)) return;
  }
}

async function startLive({ examination, id }: CheckedServer): Promise<void> {
  const { core, workspace, signal } = examination;
  const { key } = workspace.usable(id);
  if (core.pool.state(key).kind === 'ready') return;
  const connection = await core.pool.connection(key);
  await Promise.allSettled([connection.start('USER', signal)]); // a wait for a sign-in is not waited for
}

/** A start that failed at an earlier step, or for a reason that only a look at the address tells. */
async function failedStart(checked: CheckedServer, check: DoctorCheck): Promise<DoctorRow | undefined> {
  const { state } = checked;
  const unclear =
    state.kind === 'failed' && (state.code === 'unreachable' || state.code === 'protocol_error');
  return (unclear ? await lookForTls(checked) : undefined) ?? failedBefore(checked, check);
}

/** One safe read that the user has allowed: it reveals an expired token. */
async function readLive(checked: CheckedServer): Promise<DoctorRow> {
  const { examination, id } = checked;
  const { core, workspace, signal } = examination;
  const tool = await safeRead(checked);
  if (tool === undefined) {
    const says =
      'It starts and lists its tools. No tool was called: none is read-only, needs no argument and may run without asking.';
    return skip('live', says, { remedy: { do: 'trust', server: id } });
  }
  const begun = core.clock.monotonic();
  try {
    const { result } = await toolsOf(core, workspace, LIBRARY).call(
      { tool: tool.ref, args: {}, approval: 'refuse', timeoutMs: doctorLimits.liveReadMs },
      signal ? { signal } : {},
    );
    const ms = Math.round(core.clock.monotonic() - begun);
    if (result['isError'] !== true) return pass('live', `${tool.name} answered in ${ms} ms.`);
    return refused(checked, tool, resultText(result['content']));
  } catch (error) {
    const { message, remedy = { do: 'show-logs', server: id } } = toPlugError(error);
    return failedBy('live', error, { remedy, details: [`${tool.ref} was called`, message] });
  }
}

function refused({ server: { definition }, id }: CheckedServer, tool: Tool, said: string): DoctorRow {
  const found = knownCause(said.split('\n'), causeContext(definition));
  return fail('live', found?.says ?? `${tool.name} answered with an error.`, {
    cause: found?.cause ?? 'server_error',
    owner: found?.owner ?? 'server',
    remedy: found?.remedy ?? { do: 'show-logs', server: id },
    details: [cut(said)],
  });
}

/** The featured read, else the first read-only tool; only one that runs without asking. */
async function safeRead(checked: CheckedServer): Promise<Tool | undefined> {
  const { examination, pooled, manifest } = checked;
  if (!manifest) return undefined;
  const { known, question, policy } = examination.core.decisions;
  const harmless = known.catalog
    .entries(known.seen(pooled), manifest)
    .filter(({ withheld, tool }) => !withheld && tool.flags.length === 0 && needsNothing(tool));
  const questions = await Promise.all(
    harmless.map((entry) => question(pooled, entry, { principal: LIBRARY.principal.id, args: {} })),
  );
  const fit = harmless.flatMap(({ tool }, index) => {
    const asked = questions[index];
    return asked !== undefined && decide(asked, policy.snapshot).effect === 'allow' ? [tool] : [];
  });
  const featured = featuredAt(pooled.definition.endpoint)?.readTool;
  return fit.find(({ name }) => name === featured) ?? fit.find(({ risk }) => risk === 'read');
}
