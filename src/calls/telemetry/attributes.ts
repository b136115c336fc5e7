import type { Attributes } from '@opentelemetry/api';
import type { CallEnding, TracedCall } from './telemetry.ts';

/** OpenTelemetry's names for MCP and model tools where they exist; ours start with `plug.`. */
export function startAttributes(call: TracedCall): Attributes {
  return {
    'mcp.method.name': 'tools/call',
    'gen_ai.operation.name': 'execute_tool',
    'gen_ai.tool.name': call.tool,
    'gen_ai.tool.call.id': call.callId,
    'plug.server': call.server,
    'plug.risk': call.risk,
    'plug.arguments.bytes': call.argsBytes,
  };
}

export function endAttributes(ending: CallEnding): Attributes {
  const type = errorTypeOf(ending);
  return {
    'plug.outcome': ending.outcome,
    ...(type === undefined ? {} : { 'error.type': type }),
    ...(ending.effect === undefined ? {} : { 'plug.decision': ending.effect }),
    ...(ending.decidedBy === undefined ? {} : { 'plug.decided_by': ending.decidedBy }),
    ...(ending.resultBytes === undefined ? {} : { 'plug.result.bytes': ending.resultBytes }),
    ...(ending.retries === undefined ? {} : { 'plug.retries': ending.retries }),
  };
}

/** The convention for a result with isError is `tool_error`. */
export function errorTypeOf({ outcome, error }: CallEnding): string | undefined {
  return outcome === 'ok' ? undefined : (error ?? outcome);
}
