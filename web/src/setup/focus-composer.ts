export const COMPOSER = 'setup-message';

export function focusComposer(): void {
  document.querySelector<HTMLElement>(`#${COMPOSER}`)?.focus();
}
