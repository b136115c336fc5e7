import { useState, type ReactNode } from 'react';
import { PlugError, type ErrorView } from '../../../src/base/errors.ts';
import { Button } from '../parts/button.tsx';
import { ErrorNote } from '../parts/error-note.tsx';
import { Select } from '../parts/select.tsx';
import { TextField } from '../parts/text-field.tsx';
import { When } from '../parts/when.tsx';
import styles from '../settings/settings.module.css';
import { useTeam, useTeamAction } from './ask-team.ts';
import type { Me } from './team-types.ts';

interface Bucket {
  readonly address: string;
  readonly bucket: string;
  readonly region: string;
  readonly accessKeyId: string;
  readonly prefix: string;
}

interface ScheduledExport {
  readonly settings?: {
    readonly to: { readonly kind: 'folder' } | ({ readonly kind: 's3' } & Bucket);
    readonly format: 'jsonl' | 'csv';
    readonly every: 'hour' | 'day';
  };
  readonly by?: { readonly name: string };
  readonly withArguments: boolean;
  readonly dueAt?: number;
  readonly last?: { readonly at: number; readonly name: string; readonly records: number };
  readonly failure?: { readonly at: number; readonly error: ErrorView };
}

const PATH = '/v1/team/audit-export';
const ASKED_AGAIN_MS = 5_000;

/** All records as files, every hour or day: what an auditor has set has the arguments, too. */
export function AuditExport({ me }: { readonly me: Me }): ReactNode {
  const { data, error } = useTeam<ScheduledExport>(PATH, { everyMs: ASKED_AGAIN_MS });
  const act = useTeamAction();
  const settings = data?.settings;
  return (
    <section aria-label="Scheduled export">
      <h2>Scheduled export</h2>
      <p className={styles['lead']}>
        Every record once, as files in a folder or a bucket.{' '}
        {me.role === 'auditor'
          ? 'What you set exports arguments, too.'
          : 'What you set exports no arguments: those are for auditors.'}
      </p>
      {error && <ErrorNote error={error} />}
      {act.error && <ErrorNote error={act.error} />}
      {data?.failure && <Failed error={data.failure.error} />}
      {settings && (
        <div className={styles['row']}>
          <div className={styles['what']}>
            <strong>{placeOf(settings.to)}</strong>
            <p>
              Every {settings.every}, {data.withArguments ? 'with arguments' : 'without arguments'}
              {data.by === undefined ? '' : `, set by ${data.by.name}`}
            </p>
            {data.last && (
              <p>
                {data.last.name}: {data.last.records} records, <When at={data.last.at} />
              </p>
            )}
          </div>
          <Button onClick={() => act.mutate({ method: 'POST', path: PATH, body: {} })} busy={act.isPending}>
            Export now
          </Button>
          <Button look="quiet" onClick={() => act.mutate({ method: 'DELETE', path: PATH })}>
            Stop exporting
          </Button>
        </div>
      )}
      {data && <ExportForm key={JSON.stringify(settings)} before={settings} />}
    </section>
  );
}

/** What admins can do about it stands in its next step. */
function Failed({ error }: { readonly error: ErrorView }): ReactNode {
  return (
    <>
      <ErrorNote error={PlugError.fromView(error)} action={<></>} />
      {error.next !== undefined && <p>{error.next}</p>}
    </>
  );
}

type Settings = NonNullable<ScheduledExport['settings']>;

function ExportForm({ before }: { readonly before: Settings | undefined }): ReactNode {
  const act = useTeamAction();
  const [kind, setKind] = useState(before?.to.kind ?? 's3');
  const [format, setFormat] = useState(before?.format ?? 'jsonl');
  const [every, setEvery] = useState(before?.every ?? 'day');
  const [secretAccessKey, setSecret] = useState('');
  const [bucket, setBucket] = useState<Bucket>(before?.to.kind === 's3' ? before.to : NO_BUCKET);
  const field = (name: keyof Bucket, label: string, hint?: string): ReactNode => (
    <TextField
      label={label}
      value={bucket[name]}
      onChange={(text) => setBucket({ ...bucket, [name]: text.trim() })}
      required={name !== 'prefix'}
      hint={hint}
    />
  );
  const { address, bucket: name, region, accessKeyId, prefix } = bucket;
  const secret = secretAccessKey === '' ? {} : { secretAccessKey };
  const to =
    kind === 'folder' ? { kind } : { kind, address, bucket: name, region, accessKeyId, prefix, ...secret };
  return (
    <form
      className={styles['form']}
      onSubmit={(event) => {
        event.preventDefault();
        act.mutate({ method: 'PUT', path: PATH, body: { to, format, every } });
      }}
    >
      <Select label="Export to" value={kind} choices={KINDS} onChange={setKind} />
      <Select label="Format" value={format} choices={FORMATS} onChange={setFormat} />
      <Select label="How often" value={every} choices={SPANS} onChange={setEvery} />
      {kind === 's3' && (
        <>
          {field('address', 'Address', 'Such as https://s3.eu-central-1.amazonaws.com')}
          {field('bucket', 'Bucket')}
          {field('region', 'Region')}
          {field('prefix', 'Prefix', 'Before the names of the files, such as plugboard/')}
          {field('accessKeyId', 'Access key ID')}
          <TextField
            label="Secret access key"
            type="password"
            value={secretAccessKey}
            onChange={(text) => setSecret(text.trim())}
            hint="Kept sealed. Leave it empty to keep the one for this bucket."
          />
        </>
      )}
      {act.error && <ErrorNote error={act.error} />}
      <Button type="submit" busy={act.isPending}>
        Save export
      </Button>
    </form>
  );
}

const NO_BUCKET: Bucket = { address: '', bucket: '', region: '', accessKeyId: '', prefix: '' };
const KINDS = [
  { value: 's3', label: 'Bucket (S3)' },
  { value: 'folder', label: 'Folder of the hub' },
] as const;
const FORMATS = [
  { value: 'jsonl', label: 'JSON lines' },
  { value: 'csv', label: 'CSV' },
] as const;
const SPANS = [
  { value: 'hour', label: 'Every hour' },
  { value: 'day', label: 'Every day' },
] as const;

function placeOf(to: Settings['to']): string {
  return to.kind === 'folder' ? 'The folder of the hub' : `${to.address}/${to.bucket}/${to.prefix}`;
}
