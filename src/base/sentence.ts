/** A text that another sentence can follow: what others wrote often has no full stop. */
export function sentence(text: string): string {
  return /[.!?…:]$/.test(text) ? text : `${text}.`;
}
