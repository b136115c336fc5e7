import { useState, type ReactNode } from 'react';
import type { ServerView } from '../hub/hub-context.tsx';
import { textOf, type FieldSpec, type FieldValue, type FieldValues } from '../parts/form/field-spec.ts';
import { FieldsForm } from '../parts/form/fields-form.tsx';
import { withFolder, withPort } from './mend-definition.ts';
import type { Repair } from './repair.ts';
import { useMend } from './use-mend.ts';

interface PlaceFormProps {
  readonly server: ServerView;
  readonly repair: Extract<Repair, { form: 'folder' | 'port' }>;
}

/** Another folder or another port. */
export function PlaceForm({ server, repair }: PlaceFormProps): ReactNode {
  const [values, setValues] = useState<FieldValues>({});
  const mend = useMend(server);
  const send = (): void => {
    const text = textOf(values['place'] ?? presetOf(repair)).trim();
    mend.mutate({
      kind: 'definition',
      change: (before) => ({
        definition:
          repair.form === 'port'
            ? withPort(before, repair.port, Number(text))
            : withFolder(before, repair, text),
        secrets: {},
      }),
    });
  };
  return (
    <FieldsForm
      fields={[fieldOf(repair)]}
      values={values}
      onChange={setValues}
      submitLabel="Save and start"
      busy={mend.isPending}
      error={mend.error ?? undefined}
      onSubmit={send}
    />
  );
}

function fieldOf(repair: PlaceFormProps['repair']): FieldSpec {
  if (repair.form === 'port') {
    return {
      id: 'place',
      label: 'Port',
      kind: 'number',
      required: true,
      integer: true,
      min: 1,
      max: PORT_MAX,
      description: `Port ${repair.port} is taken.`,
      preset: presetOf(repair),
    };
  }
  const preset = presetOf(repair);
  return {
    id: 'place',
    label: isFile(preset) ? 'File' : 'Folder',
    kind: 'file',
    required: true,
    paths: true,
    ...(isFile(preset) ? {} : { folder: true }),
    ...(preset === '' ? {} : { preset }),
  };
}

function isFile(path: FieldValue): boolean {
  return /\.[A-Za-z]\w{0,7}$/.test(String(path));
}

function presetOf(repair: PlaceFormProps['repair']): string | number {
  if (repair.form === 'folder') return repair.path ?? '';
  return repair.port >= PORT_MAX ? repair.port - 1 : repair.port + 1;
}

const PORT_MAX = 65_535;
