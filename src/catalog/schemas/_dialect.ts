import type { Repairs } from './_repairs.ts';

const DRAFT_07 = 'http://json-schema.org/draft-07/schema#';
const KNOWN: ReadonlySet<unknown> = new Set([
  DRAFT_07,
  DRAFT_07.slice(0, -1),
  'https://json-schema.org/draft/2020-12/schema',
  'https://json-schema.org/draft/2020-12/schema#',
]);

type Schema = Readonly<Record<string, unknown>>;

/** Without `$schema` a schema is of 2020-12, as the MCP specification says (basic, JSON Schema usage). */
export function mendDialect(schema: Schema, repairs: Repairs): Schema {
  const dialect = schema['$schema'];
  if (dialect === undefined || KNOWN.has(dialect)) return schema;
  const { $schema: _dialect, ...rest } = schema;
  if (typeof dialect === 'string' && dialect.includes('draft-07')) {
    repairs.add('has an address for draft-07 that is not quite right', '$schema');
    return { ...rest, $schema: DRAFT_07 };
  }
  repairs.add('is a dialect that is not known here: the schema is read as JSON Schema 2020-12', '$schema');
  return rest;
}

/** Until 2019-09, `items` may be a list. */
export function hasTuples(root: Schema): boolean {
  return typeof root['$schema'] === 'string' && root['$schema'].includes('draft-07');
}
