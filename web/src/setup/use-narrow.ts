import { useSyncExternalStore } from 'react';

/** Whether there is no room for two things side by side. */
export function useNarrow(): boolean {
  return useSyncExternalStore(listen, () => media().matches);
}

const media = (): MediaQueryList => window.matchMedia('(max-width: 899px)');

function listen(listener: () => void): () => void {
  const query = media();
  query.addEventListener('change', listener);
  return () => query.removeEventListener('change', listener);
}
