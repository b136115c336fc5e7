import { isObject } from '../../base/json.ts';
import { typescriptLimits as limits } from './limits.ts';
import { comment, firstSentence, propertyKey, valueType } from './literals.ts';
import { atom, intersectionOf, unionOf, type TypeText } from './type-text.ts';

type Schema = Readonly<Record<string, unknown>>;
type Within = (schema: unknown, indent?: string) => TypeText;

/** An object with its fields, and what other fields it may have. */
export function objectType(schema: Schema, indent: string, within: Within): TypeText {
  const fields = fieldsOf(schema);
  const others = othersOf(schema, within);
  if (fields.length === 0) return others ?? atom(closed(schema) ? '{ [key: string]: never }' : OPEN);
  const lines = fields.map((field) => fieldText(field, `${indent}  `, within));
  // `unknown` is the one type for other fields that fits beside any field.
  const isOpen = schema['additionalProperties'] === true;
  const all = isOpen ? [...lines, '[key: string]: unknown'] : lines;
  const type = atom(layOut(all, indent));
  return others === undefined || isOpen ? type : intersectionOf([type, others]);
}

interface Field {
  readonly name: string;
  readonly schema: unknown;
  readonly isRequired: boolean;
}

function fieldsOf({ properties, required }: Schema): readonly Field[] {
  const needed = new Set(Array.isArray(required) ? required.filter((name) => typeof name === 'string') : []);
  const declared = isObject(properties) ? Object.entries(properties) : [];
  const undeclared = [...needed].filter((name) => !isObject(properties) || !Object.hasOwn(properties, name));
  return [
    ...declared.map(([name, schema]) => ({ name, schema, isRequired: needed.has(name) })),
    ...undeclared.map((name) => ({ name, schema: true, isRequired: true })),
  ];
}

function fieldText({ name, schema, isRequired }: Field, indent: string, within: Within): string {
  const about = isObject(schema) ? aboutField(schema) : '';
  const text = `${propertyKey(name)}${isRequired ? '' : '?'}: ${within(schema, indent).text}`;
  return about === '' ? text : `${comment(about)} ${text}`;
}

/** What the type of a field does not tell: its sentence, its format, its default and its bounds. */
function aboutField(schema: Schema): string {
  const { description, format } = schema;
  const sentence =
    typeof description === 'string' ? firstSentence(description, limits.propertySentenceCharsMax) : '';
  const fallback = valueType(schema['default']);
  const facts = [
    typeof format === 'string' ? `format ${firstSentence(format, FACT_CHARS_MAX)}` : '',
    fallback === undefined || fallback.length > FACT_CHARS_MAX ? '' : `default ${fallback}`,
    ...BOUNDS.map(([keyword, words]) =>
      typeof schema[keyword] === 'number' ? `${words} ${schema[keyword]}` : '',
    ),
  ].filter((fact) => fact !== '');
  return [sentence, facts.join(', ')].filter((part) => part !== '').join(' — ');
}

/** Other fields by the schemas that they must fit; undefined where nothing is said of them. */
function othersOf({ additionalProperties, patternProperties }: Schema, within: Within): TypeText | undefined {
  const patterns = isObject(patternProperties) ? Object.values(patternProperties) : [];
  const schemas = [...patterns, ...(isObject(additionalProperties) ? [additionalProperties] : [])];
  if (schemas.length === 0) return undefined;
  return atom(`{ [key: string]: ${unionOf(schemas.map((schema) => within(schema))).text} }`);
}

function closed({ additionalProperties, patternProperties }: Schema): boolean {
  return additionalProperties === false && patternProperties === undefined;
}

/** On one line while it is short and without comments. */
function layOut(lines: readonly string[], indent: string): string {
  const oneLine = `{ ${lines.join('; ')} }`;
  if (oneLine.length <= LINE_CHARS_MAX && !/\n|\/\*/.test(oneLine)) return oneLine;
  return `{\n${lines.map((line) => `${indent}  ${line};\n`).join('')}${indent}}`;
}

const OPEN = '{ [key: string]: unknown }';
const LINE_CHARS_MAX = 90;
const FACT_CHARS_MAX = 60;
const BOUNDS = [
  ['minimum', 'at least'],
  ['exclusiveMinimum', 'more than'],
  ['maximum', 'at most'],
  ['exclusiveMaximum', 'less than'],
] as const;
