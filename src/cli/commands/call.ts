import { resolve } from 'node:path';
import { defined } from '../../base/defined.ts';
import { toPlugError, type PlugError } from '../../base/errors.ts';
import { isObject, type JsonObject } from '../../base/json.ts';
import { limits } from '../../base/limits.ts';
import type { CallRequest, Hub, Progress } from '../../hub/hub.ts';
import { exitCodes, type ExitCode } from '../exit-codes.ts';
import { userError } from '../failures.ts';
import { FAILED, faint, type Say } from '../output.ts';
import type { HubSession, Session } from '../session.ts';
import { canonicalRef, findTool, unknownTool } from '../tool-lookup.ts';
import { stepText } from '../render/error.ts';

export interface CallArgs {
  readonly tool: string;
  readonly pairs: readonly string[];
  readonly args?: string;
  readonly timeout?: number;
  readonly account?: string;
  readonly profile?: string;
  readonly whole?: boolean;
  readonly verbose?: boolean;
}

export async function call(typed: CallArgs, session: HubSession): Promise<ExitCode> {
  const { hub, out } = session;
  const request = { ...typed, tool: await canonicalRef(hub, typed.tool) };
  const args = await readArguments(request, session);
  // What shows the result is loaded while the hub is at work.
  const [result, { renderCallResult, renderHandle }] = await Promise.all([
    out.working(`Calling ${request.tool}`, (say) => invoke(hub, request, args, { session, say })),
    import('../render/call-result.ts'),
  ]);
  out.document(result);
  if (!out.json) renderCallResult(result, out);
  renderHandle(result, out);
  if (request.verbose) out.note(faint(`Allowed: ${result.allowedBy}`));
  if (!result.isError) return exitCodes.ok;
  if (!out.json) {
    out.note(FAILED, `${result.server}/${result.tool} reported an error.`);
    if (result.hint) out.note(faint('  next   '), stepText(result.hint.next));
  }
  return exitCodes.failed;
}

/** Only a person at a terminal can be asked; others need a grant, and are told which. */
async function invoke(
  hub: Hub,
  { tool, timeout: timeoutMs, profile, account, whole }: CallArgs,
  args: JsonObject,
  { session, say }: { readonly session: HubSession; readonly say: Say },
): ReturnType<Hub['tools']['call']> {
  const { signal } = session;
  const request: CallRequest = defined({ tool, args, profile, timeoutMs, account, whole });
  const onProgress = ({ progress, total, message = `${tool}: working` }: Progress): void =>
    total === undefined ? say(`${message} ${progress}`) : say(message, { done: progress, total });
  try {
    if (!session.terminal.interactive)
      return await hub.tools.call({ ...request, approval: 'refuse' }, { signal, onProgress });
    const { callAtTerminal } = await import('../ask-approval.ts');
    return await callAtTerminal(request, { onProgress }, session);
  } catch (error) {
    const { code, details } = toPlugError(error);
    // The hub knows the tool and has said why it is not offered.
    if (details?.['cause'] !== undefined) throw error;
    if (code !== 'not_found' && !(code === 'usage' && !tool.includes('/'))) throw error;
    throw await unknownTool(hub, tool);
  }
}

/** Words become what the tool's schema asks for; the schema is fetched only when it is needed. */
async function readArguments(request: CallArgs, session: HubSession): Promise<JsonObject> {
  const { hub, out, signal } = session;
  const { tool: ref, pairs } = request;
  const { checkRequired, parseArguments, parseArgsObject } = await import('../arguments.ts');
  const json = request.args === undefined ? undefined : await readArgs(request.args, session);
  const find = (): ReturnType<typeof findTool> =>
    out.working(`Starting what ${ref} needs`, () => findTool(hub, ref, signal));
  let schema: JsonObject | undefined;
  try {
    const base = json === undefined ? {} : parseArgsObject(json, '--args');
    if (pairs.length === 0 && json !== undefined) return base;
    schema = schemaOf(await find());
    const args = parseArguments({ pairs, schema, base });
    if (schema) checkRequired(args, schema);
    return args;
  } catch (error) {
    const failure = toPlugError(error);
    if (failure.code !== 'bad_arguments') throw error;
    throw await withExample(failure, ref, schema ?? schemaOf(await find()));
  }
}

function schemaOf(tool: Awaited<ReturnType<typeof findTool>>): JsonObject | undefined {
  const given = tool?.definition['inputSchema'];
  return isObject(given) ? given : undefined;
}

/** What does not fit is answered with the call as it is typed. */
async function withExample(failure: PlugError, tool: string, schema: JsonObject = {}): Promise<PlugError> {
  const { exampleCall } = await import('../arguments.ts');
  const { code, message, details, cause } = failure;
  const line = exampleCall(tool, schema, details?.['field']);
  return userError(code, message, { remedy: { do: 'type', line }, cause, ...(details ? { details } : {}) });
}

async function readArgs(given: string, { terminal, cwd }: Session): Promise<string> {
  if (given === '-') return await terminal.readInput();
  if (!given.startsWith('@')) return given;
  const { readFile, stat } = await import('node:fs/promises');
  const file = resolve(cwd, given.slice(1));
  try {
    const { size } = await stat(file);
    if (size > limits.apiBodyBytesMax) throw new Error(`it holds ${size} bytes`);
    return await readFile(file, 'utf8');
  } catch (cause) {
    throw userError('usage', `The file ${given.slice(1)} cannot be read: ${String(cause)}`, { cause });
  }
}
