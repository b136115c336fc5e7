import { useState, type ReactNode } from 'react';
import { Page } from '../frame/page.tsx';
import { Button } from '../parts/button.tsx';
import { CopyButton } from '../parts/copy-button.tsx';
import { ErrorNote } from '../parts/error-note.tsx';
import { TextField } from '../parts/text-field.tsx';
import styles from '../settings/settings.module.css';
import { askTeam, useTeam, useTeamAction } from './ask-team.ts';
import type { Me } from './team-types.ts';

interface Known {
  readonly id: string;
  readonly name: string;
}

/** Who you are here, and the apps that use your servers. */
export default function AccountPage({ me }: { readonly me: Me }): ReactNode {
  return (
    <Page title="Account" actions={<Button onClick={() => void signOut()}>Sign out</Button>}>
      <p className={styles['lead']}>
        {me.name}, {me.email}: {me.role}
        {me.groups.length > 0 && ` in ${me.groups.join(', ')}`}
      </p>
      {me.role !== 'auditor' && (
        <>
          <Connect url={`${me.url}/mcp`} />
          <Apps />
          <Keys />
        </>
      )}
    </Page>
  );
}

async function signOut(): Promise<void> {
  await askTeam('POST', '/api/auth/sign-out', {});
  window.location.assign('/sign-in');
}

const quoted = (text: string): string => JSON.stringify(text);

/** As each app wants it; all of them sign in by themselves. */
function waysAt(url: string): readonly { readonly app: string; readonly text: string }[] {
  return [
    { app: 'Claude and ChatGPT: add a custom connector with this address', text: url },
    { app: 'Claude Code', text: `claude mcp add --transport http plugboard ${url}` },
    { app: 'Cursor, in mcp.json', text: `{ "mcpServers": { "plugboard": { "url": ${quoted(url)} } } }` },
    {
      app: 'VS Code, in mcp.json',
      text: `{ "servers": { "plugboard": { "type": "http", "url": ${quoted(url)} } } }`,
    },
    { app: 'Apps that only start programs', text: `npx mcp-remote ${url}` },
  ];
}

function Connect({ url }: { readonly url: string }): ReactNode {
  return (
    <section aria-label="Connect an app">
      <h2>Connect an app</h2>
      <p className={styles['lead']}>The app opens your browser, and you allow it there.</p>
      <ul className={styles['rows']} aria-label="Apps to connect">
        {waysAt(url).map(({ app, text }) => (
          <li key={app} className={styles['row']}>
            <div className={styles['what']}>
              <strong>{app}</strong>
              <p>
                <code>{text}</code>
              </p>
            </div>
            <CopyButton text={text} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function Apps(): ReactNode {
  const { data, error } = useTeam<readonly Known[]>('/v1/team/apps');
  return (
    <section aria-label="Connected apps">
      <h2>Connected apps</h2>
      {error && <ErrorNote error={error} />}
      <Rows known={data ?? []} path="/v1/team/apps" label="Connected apps" />
    </section>
  );
}

function Keys(): ReactNode {
  const { data, error } = useTeam<readonly Known[]>('/v1/team/keys');
  const [name, setName] = useState('');
  const add = useTeamAction<{ readonly key: string }>();
  return (
    <section aria-label="Keys">
      <h2>Keys</h2>
      <p className={styles['lead']}>
        For apps that can’t sign in. A key opens your servers and tools, nothing else.
      </p>
      {error && <ErrorNote error={error} />}
      <Rows known={data ?? []} path="/v1/team/keys" label="Keys" />
      <form
        className={styles['form']}
        onSubmit={(event) => {
          event.preventDefault();
          add.mutate({ method: 'POST', path: '/v1/team/keys', body: { name } });
        }}
      >
        <TextField label="Name of the app" value={name} onChange={setName} required />
        <Button type="submit" busy={add.isPending}>
          Add key
        </Button>
        {add.error && <ErrorNote error={add.error} />}
        {add.data && (
          <p role="status">
            Shown once: <code>{add.data.key}</code> <CopyButton text={add.data.key} />
          </p>
        )}
      </form>
    </section>
  );
}

function Rows({
  known,
  path,
  label,
}: {
  readonly known: readonly Known[];
  readonly path: string;
  readonly label: string;
}): ReactNode {
  const act = useTeamAction();
  return (
    <ul className={styles['rows']} aria-label={label}>
      {known.map(({ id, name }) => (
        <li key={id} className={styles['row']}>
          <div className={styles['what']}>
            <strong>{name}</strong>
          </div>
          <Button
            look="quiet"
            aria-label={`Revoke ${name}`}
            onClick={() => act.mutate({ method: 'DELETE', path: `${path}/${encodeURIComponent(id)}` })}
          >
            Revoke
          </Button>
        </li>
      ))}
    </ul>
  );
}
