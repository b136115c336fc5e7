import type { ReactNode } from 'react';
import { useLocation } from 'wouter';
import { Page } from '../frame/page.tsx';
import { places } from '../frame/places.ts';
import { Tabs } from '../parts/tabs.tsx';

export type Way = 'assistant' | 'anything' | 'registries' | 'clients';

interface AddPlaceProps {
  readonly way: Way;
  readonly actions?: ReactNode;
  readonly children: () => ReactNode;
}

/** The one place where servers get here, by a conversation or by hand; the address says which way. */
export function AddPlace({ way, actions, children }: AddPlaceProps): ReactNode {
  const [, go] = useLocation();
  const tall = way === 'assistant';
  return (
    <Page title="Add servers" tall={tall} actions={actions}>
      <Tabs<Way>
        label="Ways to add a server"
        value={way}
        tall={tall}
        onChange={(next) => go(ADDRESSES[next])}
        tabs={WAYS.map((each) => ({ ...each, panel: children }))}
      />
    </Page>
  );
}

const WAYS: readonly { readonly id: Way; readonly label: string }[] = [
  { id: 'assistant', label: 'Assistant' },
  { id: 'anything', label: 'Paste anything' },
  { id: 'registries', label: 'Registries' },
  { id: 'clients', label: 'Other apps' },
];

const ADDRESSES: Readonly<Record<Way, string>> = {
  assistant: places.setup,
  anything: places.add,
  registries: `${places.add}?from=registries`,
  clients: `${places.add}?from=clients`,
};
