/** For text and attribute values. */
export function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (found) => ENTITIES[found] ?? found);
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
