import { useState, type ReactNode } from 'react';
import { canonicalJson, isObject, type Json } from '../../../src/base/json.ts';
import { useHub, type Approval, type JsonObject } from '../hub/hub-context.tsx';
import { useQuery } from '@tanstack/react-query';
import { Button } from '../parts/button.tsx';
import { DiffView } from '../parts/diff-view.tsx';
import type { FieldSpec, FieldValues } from '../parts/form/field-spec.ts';
import { FieldsForm } from '../parts/form/fields-form.tsx';
import { argsOf, fieldsOfSchema, valuesOfArgs } from '../parts/form/schema-fields.ts';
import type { GiveAnswer } from './use-answer.ts';

interface ApprovalEditProps {
  readonly approval: Approval;
  readonly onAnswer: GiveAnswer;
  readonly onClose: () => void;
  readonly error: unknown;
  readonly busy: boolean;
}

/** The arguments as a form of the tool's own schema; as JSON where a form would lose something. */
export function ApprovalEdit(props: ApprovalEditProps): ReactNode {
  const { server, tool } = props.approval;
  const hub = useHub();
  const schema = useQuery({
    queryKey: ['server', server, 'schema', tool],
    queryFn: async () => {
      const { tools } = await hub.tools.list({ server });
      const found = tools.find(({ name }) => name === tool);
      return found?.schema ?? found?.definition['inputSchema'] ?? null;
    },
  });
  if (schema.isPending) return null;
  return <EditForm {...props} fields={formFor(props.approval.args, schema.data)} />;
}

interface EditFormProps extends ApprovalEditProps {
  readonly fields: readonly FieldSpec[];
}

function EditForm({ approval, fields, onAnswer, onClose, error, busy }: EditFormProps): ReactNode {
  const [values, setValues] = useState<FieldValues>(() =>
    fields === AS_JSON
      ? { args: JSON.stringify(approval.args, undefined, 2) }
      : valuesOfArgs(fields, approval.args),
  );
  const submit = (): void => onAnswer({ effect: 'allow', args: editedArgs(fields, values) ?? {} });
  return (
    <>
      <FieldsForm
        fields={fields}
        values={values}
        onChange={setValues}
        onSubmit={submit}
        submitLabel="Allow with these"
        busy={busy}
        error={error}
        actions={<Button onClick={onClose}>Back</Button>}
      />
      <EditChanges before={approval.args} after={editedArgs(fields, values)} />
    </>
  );
}

/** What the person has changed, so that a slip is seen before it is allowed. */
function EditChanges({
  before,
  after,
}: {
  readonly before: JsonObject;
  readonly after: JsonObject | undefined;
}): ReactNode {
  if (!after || canonicalJson(before) === canonicalJson(after)) return null;
  const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return keys
    .filter((key) => canonicalJson(before[key] ?? null) !== canonicalJson(after[key] ?? null))
    .map((key) => (
      <DiffView key={key} label={key} before={linesOf(before[key])} after={linesOf(after[key])} />
    ));
}

function linesOf(value: Json | undefined): string | undefined {
  return typeof value === 'string' || value === undefined ? value : JSON.stringify(value, undefined, 2);
}

/** Undefined while what is typed is not JSON yet. */
function editedArgs(fields: readonly FieldSpec[], values: FieldValues): JsonObject | undefined {
  try {
    const args = fields === AS_JSON ? argsOf(fields, values)['args'] : argsOf(fields, values);
    return isObject(args) ? args : undefined;
  } catch {
    return undefined;
  }
}

const AS_JSON: readonly FieldSpec[] = [{ id: 'args', label: 'Arguments', kind: 'json', required: true }];

/** A form must give back exactly what it was given, when nothing was typed. */
function formFor(args: JsonObject, schema: unknown): readonly FieldSpec[] {
  if (!isObject(schema)) return AS_JSON;
  const fields = fieldsOfSchema(schema as JsonObject); // a schema is JSON
  if (fields.length === 0) return AS_JSON;
  const back = argsOf(fields, valuesOfArgs(fields, args));
  return canonicalJson(back) === canonicalJson(args) ? fields : AS_JSON;
}
