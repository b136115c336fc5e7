/** Something that a server sent where a text belongs: anything else is shown as JSON. */
export function textOrJson(value: unknown): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
