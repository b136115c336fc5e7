import type { FieldSpec, FieldValues } from '../../parts/form/field-spec.ts';
import { textOf } from '../../parts/form/field-spec.ts';

const NAMES = /\{([A-Za-z_][\w.]*)\}/g;
const WHOLE = 'uri';

/** One field for each name in it. A template with more than names is filled in as a whole. */
export function fieldsOfTemplate(template: string): readonly FieldSpec[] {
  const names = namesIn(template);
  if (names === undefined) {
    return [{ id: WHOLE, label: 'URI', kind: 'text', required: true, preset: template }];
  }
  return names.map((name) => ({ id: name, label: name, kind: 'text', required: true }));
}

/** The address with every name replaced (RFC 6570, simple expansion). */
export function uriFrom(template: string, values: FieldValues): string {
  if (namesIn(template) === undefined) return Object.hasOwn(values, WHOLE) ? textOf(values[WHOLE]) : template;
  return template.replaceAll(NAMES, (_, name: string) => encodeURIComponent(textOf(values[name])));
}

function namesIn(template: string): readonly string[] | undefined {
  if (/[{}]/.test(template.replaceAll(NAMES, ''))) return undefined;
  return [...new Set([...template.matchAll(NAMES)].map(([, name = '']) => name))];
}
