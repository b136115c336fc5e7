export type Theme = 'system' | 'light' | 'dark';

const KEPT = 'plug.theme';

export function theme(): Theme {
  const kept = localStorage.getItem(KEPT);
  return kept === 'light' || kept === 'dark' ? kept : 'system';
}

export function setTheme(chosen: Theme): void {
  if (chosen === 'system') localStorage.removeItem(KEPT);
  else localStorage.setItem(KEPT, chosen);
  showTheme();
}

/** The colours follow from one attribute; without it, the system decides. */
export function showTheme(): void {
  const chosen = theme();
  if (chosen === 'system') delete document.documentElement.dataset['theme'];
  else document.documentElement.dataset['theme'] = chosen;
}
