import { useEffect, useMemo, useRef, useState, type ReactNode } from 'react';
import { isObject } from '../../../../src/base/json.ts';
import { toPlugError } from '../../../../src/base/errors.ts';
import { ApprovalCard } from '../../approvals/approval-card.tsx';
import {
  useHub,
  type Approval,
  type ApprovalEnd,
  type CallOptions,
  type CallResult,
  type Hub,
  type JsonObject,
} from '../../hub/hub-context.tsx';
import { Button } from '../../parts/button.tsx';
import { CallRow, type ShownCall } from '../../parts/call-row.tsx';
import { FieldsForm } from '../../parts/form/fields-form.tsx';
import type { FieldValues } from '../../parts/form/field-spec.ts';
import { argsOf, fieldsOfSchema } from '../../parts/form/schema-fields.ts';
import { shownResult } from '../../parts/shown-result.ts';
import type { AuditedTool } from './tool-list.ts';
import styles from './tool-details.module.css';

/** Calls a tool by hand: a form of what it takes, then what came back. */
export function TryTool({ tool }: { readonly tool: AuditedTool }): ReactNode {
  const fields = useMemo(() => fieldsOfSchema(schemaOf(tool)), [tool]);
  const [values, setValues] = useState<FieldValues>({});
  const { call, approval, run, stop } = useCall();
  const running = call !== undefined && call.outcome === undefined;
  const place = useRef<HTMLElement>(null);
  useEffect(() => place.current?.querySelector<HTMLElement>(FIRST)?.focus(), []);
  return (
    <section ref={place} className={styles['wide']} aria-label={`Try ${tool.name}`}>
      <FieldsForm
        fields={fields}
        values={values}
        onChange={setValues}
        onSubmit={() => void run(tool.ref, argsOf(fields, values))}
        submitLabel="Run it"
        busy={running}
        actions={running && <Button onClick={stop}>Stop</Button>}
      />
      {approval && <ApprovalCard approval={approval} />}
      <div role="status">
        {call && <CallRow key={call.id + String(running)} call={call} open={!running} />}
      </div>
    </section>
  );
}

/** Its first field; without one, the button that sends. */
const FIRST = 'input, textarea, select, button';

interface Calling {
  readonly call: ShownCall | undefined;
  /** What it waits for. */
  readonly approval: Approval | undefined;
  readonly run: (tool: string, args: JsonObject) => Promise<void>;
  readonly stop: () => void;
}

function useCall(): Calling {
  const hub = useHub();
  const [call, setCall] = useState<ShownCall>();
  const [approval, setApproval] = useState<Approval>();
  const stopper = useRef<AbortController>(undefined);
  const count = useRef(0);
  const run = async (tool: string, args: JsonObject): Promise<void> => {
    const stop = new AbortController();
    stopper.current = stop;
    count.current += 1;
    const begun: ShownCall = { id: `try-${count.current}`, tool, args };
    setCall(begun);
    setApproval(undefined);
    const asked = (next: Approval): void => {
      setApproval(next);
      setCall({ ...begun, approval: next });
    };
    // It runs from here on, and no longer waits for the person.
    const answered = (end: ApprovalEnd): void => {
      setApproval(undefined);
      setCall({ ...begun, answered: end });
    };
    const options = { signal: stop.signal, onApproval: asked, onApprovalEnd: answered };
    const ended = await outcomeOf(hub, begun, options);
    setApproval(undefined);
    setCall((before) => ({ ...ended, answered: before?.answered }));
  };
  return { call, approval, run, stop: () => stopper.current?.abort() };
}

async function outcomeOf(
  hub: Hub,
  begun: ShownCall,
  options: CallOptions & { readonly signal: AbortSignal },
): Promise<ShownCall> {
  try {
    const { tool, args } = begun;
    const asked = { tool, args, requester: 'person', consent: 'form', approval: 'wait' } as const;
    return ended(begun, await hub.tools.call(asked, options));
  } catch (error) {
    const view = toPlugError(error).toView();
    const outcome = options.signal.aborted || view.code === 'cancelled' ? 'cancelled' : FAILED[view.code];
    return { ...begun, outcome: outcome ?? 'failed', error: view };
  }
}

const FAILED: Readonly<Record<string, ShownCall['outcome']>> = {
  denied: 'denied',
  call_timeout: 'timed-out',
};

function ended(begun: ShownCall, result: CallResult): ShownCall {
  const { isError, durationMs, allowedBy } = result;
  return {
    ...begun,
    ...shownResult(result),
    outcome: isError ? 'failed' : 'completed',
    durationMs,
    allowedBy,
  };
}

function schemaOf({ schema, definition }: AuditedTool): JsonObject {
  const given = schema ?? definition['inputSchema'];
  return isObject(given) ? given : {}; // a server may send anything
}
