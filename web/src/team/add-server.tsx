import { useState, type ReactNode } from 'react';
import { useLocation } from 'wouter';
import { Page } from '../frame/page.tsx';
import { places } from '../frame/places.ts';
import { useHubAction, keys } from '../hub/queries.ts';
import { Button } from '../parts/button.tsx';
import { ErrorNote } from '../parts/error-note.tsx';
import { TextField } from '../parts/text-field.tsx';
import styles from '../settings/settings.module.css';

interface Given {
  readonly id: string;
  readonly url: string;
  readonly key: string;
}

/** A server by its address: in a team no program is started, so that is all there is to give. */
export default function AddServerPage(): ReactNode {
  const [, go] = useLocation();
  const [given, setGiven] = useState<Given>({ id: '', url: '', key: '' });
  const add = useHubAction(
    (hub, { id, url, key }: Given) => {
      const hasKey = key !== '';
      const headers = hasKey ? { authorization: `Bearer \${secret:${id}/authorization}` } : {};
      return hub.servers.add({
        definition: { id, name: id, endpoint: { kind: 'http', url, headers } },
        ...(hasKey ? { secrets: { [`${id}/authorization`]: key } } : {}),
        test: false,
      });
    },
    [keys.servers],
  );
  const set = (field: keyof Given) => (text: string) => setGiven({ ...given, [field]: text.trim() });
  return (
    <Page title="Add server">
      <form
        className={styles['form']}
        onSubmit={(event) => {
          event.preventDefault();
          add.mutate(given, { onSuccess: ({ server }) => go(places.server(server.id)) });
        }}
      >
        <TextField
          label="Name"
          value={given.id}
          onChange={set('id')}
          required
          hint="Lowercase letters, digits and dashes"
        />
        <TextField
          label="Address"
          type="url"
          value={given.url}
          onChange={set('url')}
          required
          hint="Such as https://mcp.example.com/mcp"
        />
        <TextField
          label="API key"
          type="password"
          value={given.key}
          onChange={set('key')}
          hint="Only if the server has no sign-in. It is kept in your vault."
        />
        {add.error && <ErrorNote error={add.error} />}
        <Button type="submit" look="primary" busy={add.isPending}>
          Add server
        </Button>
      </form>
    </Page>
  );
}
