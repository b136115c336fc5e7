import type { ReactNode } from 'react';
import { useSearchParams } from 'wouter';
import { AddPlace, type Way } from './add-place.tsx';
import { ImportClients } from './import-clients.tsx';
import { PasteAnything } from './paste-anything.tsx';
import { RegistrySearch } from './registry-search.tsx';

/** Adding by hand; the address says from where. */
export default function AddPage(): ReactNode {
  const [search, setSearch] = useSearchParams();
  const from = search.get('from');
  const way = from === 'clients' || from === 'registries' ? from : 'anything';
  const show = (next: Way, words?: string): void => {
    const params = new URLSearchParams(next === 'anything' ? {} : { from: next });
    if (words !== undefined) params.set('q', words);
    setSearch(params);
  };
  const given = search.get('text') ?? undefined;
  const panels = {
    anything: () => <PasteAnything key={given} given={given} onImport={() => show('clients')} />,
    registries: () => (
      <RegistrySearch
        words={search.get('q') ?? ''}
        onSearch={(words) => show('registries', words)}
        onPaste={() => show('anything')}
      />
    ),
    clients: () => <ImportClients onPaste={() => show('anything')} />,
  };
  return <AddPlace way={way}>{panels[way]}</AddPlace>;
}
