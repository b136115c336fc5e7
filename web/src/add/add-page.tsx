import type { ReactNode } from 'react';
import { useSearchParams } from 'wouter';
import { Page } from '../frame/page.tsx';
import { Tabs } from '../parts/tabs.tsx';
import { ImportClients } from './import-clients.tsx';
import { PasteAnything } from './paste-anything.tsx';
import { RegistrySearch } from './registry-search.tsx';

/** The ways in which a server gets here; the address says which one is looked at. */
export default function AddPage(): ReactNode {
  const [search, setSearch] = useSearchParams();
  const from = search.get('from');
  const way = from === 'clients' || from === 'registries' ? from : 'anything';
  const show = (next: Way, words?: string): void => {
    const params = new URLSearchParams(next === 'anything' ? {} : { from: next });
    if (words !== undefined) params.set('q', words);
    setSearch(params);
  };
  return (
    <Page title="Add a server">
      <Tabs<Way>
        label="Where the server comes from"
        value={way}
        onChange={(next) => show(next)}
        tabs={[
          {
            id: 'anything',
            label: 'Paste anything',
            panel: () => <PasteAnything onImport={() => show('clients')} />,
          },
          {
            id: 'registries',
            label: 'Registries',
            panel: () => (
              <RegistrySearch
                words={search.get('q') ?? ''}
                onSearch={(words) => show('registries', words)}
                onPaste={() => show('anything')}
              />
            ),
          },
          {
            id: 'clients',
            label: 'Other apps',
            panel: () => <ImportClients onPaste={() => show('anything')} />,
          },
        ]}
      />
    </Page>
  );
}

type Way = 'anything' | 'registries' | 'clients';
