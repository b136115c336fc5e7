import { type ErrorView, toPlugError } from '../../base/errors.ts';
import type { DoctorCheck, DoctorRow } from '../hub.ts';
import { lookAtAuth, lookAtHandshake, lookAtSpawn, lookAtStderr } from './spawn-check.ts';
import { lookAtCommand } from './command-check.ts';
import { lookAtConfig, takesPart } from './config-check.ts';
import { lookAtEndpoint } from './endpoint-check.ts';
import type { CheckedServer } from './checked-server.ts';
import { failedBefore } from './recorded.ts';
import { cut, fail, failedBy, pass, skip } from './rows.ts';
import { lookAtPins, lookAtTools } from './tools-check.ts';
import { lookAtVariables } from './variables-check.ts';
import { isObject } from '../../base/json.ts';
import type { Tool } from '../../catalog/tool.ts';
import { decide } from '../../policy/decide.ts';
import { featuredAt } from '../../servers/featured.ts';
import { LIBRARY } from '../client.ts';
import { toolsOf } from '../tools-api.ts';
import { causeContext, knownCause } from '../../connections/causes/known-causes.ts';
import { doctorLimits } from './limits.ts';

interface Step {
  readonly check: DoctorCheck;
  readonly look: (checked: CheckedServer) => readonly DoctorRow[] | Promise<readonly DoctorRow[]>;
}

const CONFIG: Step = { check: 'config', look: lookAtConfig };
const VARIABLES: Step = { check: 'variables', look: lookAtVariables };
const HANDSHAKE: Step = { check: 'handshake', look: lookAtHandshake };
const AFTER: readonly Step[] = [
  { check: 'tools', look: lookAtTools },
  { check: 'pins', look: lookAtPins },
];

const LOCAL: readonly Step[] = [
  CONFIG,
  VARIABLES,
  { check: 'command', look: lookAtCommand },
  { check: 'spawn', look: lookAtSpawn },
  { check: 'stderr', look: lookAtStderr },
  HANDSHAKE,
  ...AFTER,
];

const REMOTE: readonly Step[] = [
  CONFIG,
  VARIABLES,
  { check: 'endpoint', look: lookAtEndpoint },
  HANDSHAKE,
  { check: 'auth', look: lookAtAuth },
  ...AFTER,
];

/** From cause to effect. Invariant: after the first step that fails, nothing is claimed about the rest. */
export async function* followChain(checked: CheckedServer): AsyncGenerator<DoctorRow, void, void> {
  const { id, examination } = checked;
  const local = checked.pooled.definition.endpoint.kind === 'stdio';
  const steps = [
    ...(local ? LOCAL : REMOTE),
    ...(examination.live ? [{ check: 'live', look: readLive } as const] : []),
  ];
  let cause: DoctorCheck | undefined;
  for (const { check, look } of steps) {
    if (cause !== undefined) {
      yield { ...skip(check, `Not looked at: “${cause}” comes first.`), server: id };
      continue;
    }
    // What comes from here on is known only of a server that was started.
    const starts = examination.live && check === (local ? 'spawn' : 'handshake');
    if (starts) await startLive(checked);
    const before = starts ? failedBefore(checked, check) : undefined;
    const rows = before ? [before] : await look(checked);
    for (const row of rows) yield { ...row, server: id };
    if (rows.some(({ status }) => status === 'fail')) cause = check;
    // Switched off, or not trusted yet: nothing else is expected of it.
    if (check === 'config' && !takesPart(checked)) return;
  }
}

/** An entry that is too wrong to be a server has a cause, and no chain. */
export function* brokenEntry(id: string, error: ErrorView): Generator<DoctorRow, void, void> {
  const { code: cause, message, owner, remedy } = error;
  yield { ...fail('config', message, { cause, owner, remedy }), server: id };
}

/** Starts the server, or wakes it; how that went is its state, which the steps after this tell. */
async function startLive({ examination, id }: CheckedServer): Promise<void> {
  const { core, workspace, signal } = examination;
  const { key } = workspace.usable(id);
  if (core.pool.state(key).kind === 'ready') return;
  const connection = await core.pool.connection(key);
  await Promise.allSettled([connection.start('USER', signal)]);
}

/** One read that is safe and that the user has allowed: it shows a token that has expired. */
async function readLive(checked: CheckedServer): Promise<readonly DoctorRow[]> {
  const { examination, id } = checked;
  const { core, workspace, signal } = examination;
  const tool = await safeRead(checked);
  if (tool === undefined) {
    const says =
      'It starts and lists its tools. None was read: no tool that only reads and needs no argument may run unasked.';
    return [skip('live', says, { remedy: { do: 'trust', server: id } })];
  }
  const begun = core.clock.monotonic();
  try {
    const { result } = await toolsOf(core, workspace, LIBRARY).call(
      { tool: tool.ref, args: {}, approval: 'refuse', timeoutMs: doctorLimits.liveReadMs },
      signal ? { signal } : {},
    );
    const ms = Math.round(core.clock.monotonic() - begun);
    if (result['isError'] !== true) return [pass('live', `${tool.name} answered in ${ms} ms.`)];
    return [refused(checked, tool, textOf(result['content']))];
  } catch (error) {
    const { message, remedy } = toPlugError(error);
    return [
      failedBy('live', error, {
        remedy: remedy ?? { do: 'show-logs', server: id },
        details: [`${tool.ref} was called`, message],
      }),
    ];
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

/** The read that is known to be harmless, else the first that only reads; and only what runs unasked. */
async function safeRead(checked: CheckedServer): Promise<Tool | undefined> {
  const { examination, pooled, manifest } = checked;
  if (!manifest) return undefined;
  const { known, question, policy } = examination.core.decisions;
  const harmless = known.catalog
    .entries(known.seen(pooled), manifest)
    .filter(({ withheld, tool }) => !withheld && tool.flags.length === 0 && needsNothing(tool));
  const questions = await Promise.all(harmless.map((entry) => question(pooled, entry, {})));
  const fit = harmless.filter((_, index) => {
    const asked = questions[index];
    return asked !== undefined && decide(asked, policy.snapshot).effect === 'allow';
  });
  const featured = featuredAt(pooled.definition.endpoint)?.readTool;
  return (fit.find(({ tool }) => tool.name === featured) ?? fit.find(({ tool }) => tool.risk === 'read'))
    ?.tool;
}

function needsNothing({ definition, schema }: Tool): boolean {
  const input = schema ?? definition['inputSchema'];
  const required = isObject(input) ? input['required'] : undefined;
  return !Array.isArray(required) || required.length === 0;
}

function textOf(content: unknown): string {
  if (!Array.isArray(content)) return '';
  const texts = content.flatMap((part: unknown) =>
    isObject(part) && typeof part['text'] === 'string' ? [part['text']] : [],
  );
  return texts.join('\n');
}
