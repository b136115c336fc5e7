/** A text that another sentence can follow: texts of servers often lack a period. */
export function sentence(text: string): string {
  return /[.!?…:]$/.test(text) ? text : `${text}.`;
}
