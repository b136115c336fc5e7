import { useSyncExternalStore } from 'react';

/** Light or dark as it is shown now, whoever decided it. */
export function useTheme(): 'light' | 'dark' {
  return useSyncExternalStore(listen, current);
}

const DARK = '(prefers-color-scheme: dark)';

function current(): 'light' | 'dark' {
  const chosen = document.documentElement.dataset['theme'];
  if (chosen === 'dark' || chosen === 'light') return chosen;
  return window.matchMedia(DARK).matches ? 'dark' : 'light';
}

function listen(listener: () => void): () => void {
  const system = window.matchMedia(DARK);
  const chosen = new MutationObserver(listener);
  chosen.observe(document.documentElement, { attributeFilter: ['data-theme'] });
  system.addEventListener('change', listener);
  return () => {
    chosen.disconnect();
    system.removeEventListener('change', listener);
  };
}
