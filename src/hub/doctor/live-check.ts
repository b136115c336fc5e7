import { toPlugError } from '../../base/errors.ts';
import { isObject } from '../../base/json.ts';
import type { Tool } from '../../catalog/tool.ts';
import { decide } from '../../policy/decide.ts';
import { featuredAt } from '../../servers/featured.ts';
import { LIBRARY } from '../client.ts';
import type { DoctorRow } from '../hub.ts';
import { toolsOf } from '../tools-api.ts';
import { knownCause } from './known-causes.ts';
import { doctorLimits } from './limits.ts';
import type { Patient } from './patient.ts';
import { cut, fail, failedBy, pass, skip } from './rows.ts';

/** Starts the server, or wakes it; how that went is its state, which the steps after this tell. */
export async function startLive({ visit, id }: Patient): Promise<void> {
  const { core, workspace, signal } = visit;
  const { key } = workspace.usable(id);
  if (core.pool.state(key).kind === 'ready') return;
  const connection = await core.pool.connection(key);
  await Promise.allSettled([connection.start('USER', signal)]);
}

/** One read that is safe and that the user has allowed: it shows a token that has expired. */
export async function readLive(patient: Patient): Promise<readonly DoctorRow[]> {
  const { visit, id } = patient;
  const { core, workspace, signal } = visit;
  const tool = safeRead(patient);
  if (tool === undefined) {
    const says =
      'It starts and lists its tools. None was read: no tool that only reads and needs no argument may run unasked.';
    return [skip('live', says, { next: `plug trust ${id}` })];
  }
  const begun = core.clock.monotonic();
  try {
    const { result } = await toolsOf(core, workspace, LIBRARY).call(
      { tool: tool.ref, args: {}, approval: 'refuse', timeoutMs: doctorLimits.liveReadMs },
      signal ? { signal } : {},
    );
    const ms = Math.round(core.clock.monotonic() - begun);
    if (result['isError'] !== true) return [pass('live', `${tool.name} answered in ${ms} ms.`)];
    return [refused(patient, tool, textOf(result['content']))];
  } catch (error) {
    const { message, next } = toPlugError(error);
    return [
      failedBy('live', error, {
        next: next ?? `plug logs ${id}`,
        details: [`${tool.ref} was called`, message],
      }),
    ];
  }
}

function refused({ server: { definition }, id }: Patient, tool: Tool, said: string): DoctorRow {
  const found = knownCause(said.split('\n'), definition);
  return fail('live', found?.says ?? `${tool.name} answered with an error.`, {
    cause: found?.cause ?? 'server_error',
    owner: found?.owner ?? 'server',
    next: found?.next ?? `plug logs ${id}`,
    details: [cut(said)],
  });
}

/** The read that is known to be harmless, else the first that only reads; and only what runs unasked. */
function safeRead(patient: Patient): Tool | undefined {
  const { visit, pooled, manifest } = patient;
  if (!manifest) return undefined;
  const { known, question, policy } = visit.core.deciding;
  const fit = known.catalog
    .entries(known.seen(pooled), manifest)
    .filter(({ withheld, tool }) => !withheld && tool.flags.length === 0 && needsNothing(tool))
    .filter((entry) => decide(question(pooled, entry, {}), policy()).effect === 'allow');
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
