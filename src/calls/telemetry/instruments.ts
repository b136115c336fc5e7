import type { Meter, UpDownCounter } from '@opentelemetry/api';
import { errorTypeOf } from './attributes.ts';
import type { CallEnding, TracedCall } from './telemetry.ts';

export interface Instruments {
  readonly approvals: UpDownCounter;
  record(call: TracedCall, ending: CallEnding, seconds: number): void;
}

export function instrumentsOf(meter: Meter): Instruments {
  const duration = meter.createHistogram('mcp.client.operation.duration', {
    description: 'How long calls of tools take, approvals included.',
    unit: 's',
    advice: { explicitBucketBoundaries: BUCKETS },
  });
  const calls = meter.createCounter('plug.calls', {
    description: 'Calls by their outcome.',
    unit: '{call}',
  });
  const approvals = meter.createUpDownCounter('plug.approvals.waiting', {
    description: 'Calls that wait for a person.',
    unit: '{call}',
  });
  return {
    approvals,
    record: (call, ending, seconds) => {
      const type = errorTypeOf(ending);
      const named = { 'plug.server': call.server, 'gen_ai.tool.name': call.tool };
      duration.record(seconds, {
        'mcp.method.name': 'tools/call',
        'gen_ai.operation.name': 'execute_tool',
        ...named,
        ...(type === undefined ? {} : { 'error.type': type }),
      });
      calls.add(1, { ...named, 'plug.outcome': ending.outcome, 'plug.risk': call.risk });
    },
  };
}

/** In seconds, as the conventions for MCP advise. */
const BUCKETS = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60, 120, 300];
