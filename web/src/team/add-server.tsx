import type { ReactNode } from 'react';
import { useLocation, useSearchParams } from 'wouter';
import { PasteAnything } from '../add/paste-anything.tsx';
import { RegistrySearch } from '../add/registry-search.tsx';
import { Page } from '../frame/page.tsx';
import { places } from '../frame/places.ts';
import { Tabs } from '../parts/tabs.tsx';

type Way = 'anything' | 'registries';

/** As a hub of one user adds servers, but only remote ones: in a team no program is started. */
export default function AddServerPage(): ReactNode {
  const [, go] = useLocation();
  const [search] = useSearchParams();
  const way: Way = search.get('from') === 'registries' ? 'registries' : 'anything';
  const given = search.get('text') ?? undefined;
  const panels = {
    anything: () => <PasteAnything key={given} given={given} />,
    registries: () => (
      <RegistrySearch
        words={search.get('q') ?? ''}
        onSearch={(words) => go(`${REGISTRIES}&q=${encodeURIComponent(words)}`)}
        onPaste={() => go(places.add)}
      />
    ),
  };
  return (
    <Page title="Add servers">
      <Tabs<Way>
        label="Ways to add a server"
        value={way}
        onChange={(next) => go(next === 'anything' ? places.add : REGISTRIES)}
        tabs={WAYS.map((each) => ({ ...each, panel: panels[each.id] }))}
      />
    </Page>
  );
}

const REGISTRIES = `${places.add}?from=registries`;
const WAYS: readonly { readonly id: Way; readonly label: string }[] = [
  { id: 'anything', label: 'Paste anything' },
  { id: 'registries', label: 'Registries' },
];
