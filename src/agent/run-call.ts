import { toldToModel } from '../base/remedy-sentence.ts';
import { PlugError, toPlugError } from '../base/errors.ts';
import type { JsonObject } from '../base/json.ts';
import { appUri } from '../catalog/app-tools.ts';
import { markText } from '../calls/external-text/mark.ts';
import type { MakeCall, MakeCallOptions } from '../gateway/surface.ts';
import { textAnswer } from '../gateway/surfaces/answers.ts';
import { READ_RESULT, withHandle } from '../gateway/surfaces/read-result.ts';
import type { CallResult, ChatCallOutcome, ChatEvent, Hub } from '../hub/hub.ts';
import type { TurnParts } from './parts.ts';
import { appResult, mediaOf, previewOf } from './result-content.ts';
import { SUGGEST_SERVER, suggestServer } from './suggest.ts';
import { defined } from '../base/defined.ts';

export interface OneCall {
  readonly id: string;
  readonly name: string;
  readonly args: JsonObject;
}

/** A failure is a result too: the model reads it. */
export async function runCall(turn: TurnParts, call: OneCall): Promise<JsonObject> {
  const { name, args, id } = call;
  const hasOwnRow = OWN_ROW.has(name);
  const row = hasOwnRow ? startRow(turn, id, { tool: name, args }) : undefined;
  const maker = callMaker(turn, call, hasOwnRow);
  try {
    const result =
      name === SUGGEST_SERVER
        ? await suggestServer(turn, args)
        : await turn.surface.call(name, args, maker.calls);
    row?.end(result);
    // One of our tools that answered without a call.
    if (!row && maker.made === 0) startRow(turn, id, { tool: name, args }).end(result);
    // These return server text without marks.
    const reads = name === READ_RESULT || (name === 'call_tool' && args['name'] === READ_RESULT);
    return reads || name === 'run_script' ? marked(turn, name, result) : result;
  } catch (thrown) {
    const error = turn.signal.aborted ? cancelled() : toPlugError(thrown);
    if (row) row.fail(error);
    else if (maker.made === 0) startRow(turn, id, { tool: name, args }).fail(error);
    return errorResult(error);
  }
}

export function errorResult({ message, remedy }: PlugError): JsonObject {
  const text = toldToModel(message, remedy, '\n');
  return { content: [{ type: 'text', text }], isError: true };
}

/** These have a row of their own: they are no call of one tool. */
const OWN_ROW = new Set(['search_tools', 'describe_tool', 'run_script', READ_RESULT, SUGGEST_SERVER]);

/** The calls behind one call of the model: usually one, for a script many. */
function callMaker(turn: TurnParts, call: OneCall, hasOwnRow: boolean) {
  const { hub, request, signal, counts, events, refused } = turn;
  const { profile, accounts = {}, approval = 'wait' } = request;
  const make = async (tool: string, args: JsonObject, own: MakeCallOptions = {}): Promise<JsonObject> => {
    maker.made += 1;
    counts.calls += 1;
    const id = maker.made === 1 && !hasOwnRow ? call.id : `${call.id}.${maker.made}`;
    const row = startRow(turn, id, { tool, args });
    // A script reads the whole result, unmarked.
    const whole = own.whole === true;
    const server = tool.split('/', 1)[0] ?? '';
    const account = Object.hasOwn(accounts, server) ? accounts[server] : undefined;
    try {
      const answer = await hub.tools.call(
        {
          tool,
          args,
          approval,
          forModel: !whole,
          whole,
          ...defined({ profile, host: turn.host(), account }),
        },
        {
          signal: own.signal ? AbortSignal.any([signal, own.signal]) : signal,
          onApproval: (asked) => {
            row.waits();
            events.tell({ kind: 'approval', callId: id, approval: asked });
          },
          onApprovalEnd: (end) => {
            row.waitsNoMore();
            events.tell({ kind: 'approval-end', callId: id, end });
          },
        },
      );
      row.end(answer.result, answer, await appOf(hub, answer));
      return answer.handle ? withHandle(answer.result, answer.handle.id) : answer.result;
    } catch (thrown) {
      const error = signal.aborted ? cancelled() : toPlugError(thrown);
      if (error.code === 'approval_required') refused.push(error.toView());
      row.fail(error);
      throw error;
    }
  };
  const calls: MakeCall = { call: make, signal, note: () => undefined, ...defined({ host: turn.host() }) };
  const maker = { made: 0, calls };
  return maker;
}

interface Row {
  /** For a person, whose time is not the call's. */
  waits(): void;
  waitsNoMore(): void;
  end(result: JsonObject, answer?: CallResult, app?: CallEnd['app']): void;
  fail(error: PlugError): void;
}

function startRow(
  { events, clock, limits }: TurnParts,
  id: string,
  { tool, args }: { readonly tool: string; readonly args: JsonObject },
): Row {
  events.tell({ kind: 'call-start', id, tool, args });
  let begun = clock.monotonic();
  let waitsSince: number | undefined;
  const tell = (outcome: ChatCallOutcome, text: string, more: Partial<CallEnd> = {}): void => {
    const durationMs = Math.round((waitsSince ?? clock.monotonic()) - begun);
    events.tell({ kind: 'call-end', id, tool, outcome, durationMs, text, ...more });
  };
  return {
    waits: () => {
      waitsSince = clock.monotonic();
    },
    waitsNoMore: () => {
      begun += clock.monotonic() - (waitsSince ?? clock.monotonic());
      waitsSince = undefined;
    },
    end: (result, answer, app) => {
      const media = answer ? mediaOf(result, limits.shownMediaCharsMax) : [];
      tell(result['isError'] === true ? 'failed' : 'completed', previewOf(result, limits.shownTextCharsMax), {
        ...(answer ? { allowedBy: answer.allowedBy, durationMs: Math.round(answer.durationMs) } : {}),
        ...(answer?.handle ? { resultId: answer.handle.id } : {}),
        ...(media.length > 0 ? { media } : {}),
        ...(app ? { app: { ...app, ...appResult(result, limits.shownMediaCharsMax) } } : {}),
      });
    },
    fail: (error) => tell(OUTCOMES[error.code] ?? 'failed', error.message, { error: error.toView() }),
  };
}

type CallEnd = Extract<ChatEvent, { readonly kind: 'call-end' }>;

const OUTCOMES: Readonly<Partial<Record<PlugError['code'], ChatCallOutcome>>> = {
  call_timeout: 'timed-out',
  denied: 'denied',
  approval_required: 'denied',
  cancelled: 'cancelled',
};

function cancelled(): PlugError {
  return new PlugError('cancelled', 'The call was cancelled.', { owner: 'you' });
}

function marked({ ids }: TurnParts, tool: string, result: JsonObject): JsonObject {
  const text = previewOf(result, Infinity);
  const source = { server: 'plug', tool, boundary: ids.next('ext') };
  return { ...result, ...textAnswer(markText(text, source)) };
}

async function appOf(hub: Hub, { server, tool, result }: CallResult): Promise<CallEnd['app']> {
  if (result['isError'] === true) return undefined;
  try {
    const { tools } = await hub.tools.list({ server, failed: true });
    const called = tools.find(({ name, ref }) => name === tool || ref === tool);
    const uri = called && appUri(called.definition);
    if (uri === undefined || !(await hub.servers.get({ id: server })).apps) return undefined;
    return { server, uri };
  } catch {
    return undefined; // if the tool changed meanwhile, the call was still made
  }
}
