import { isObject, type JsonObject } from '../../base/json.ts';
import type { Manifest } from '../../connections/manifest.ts';
import type { Risk } from '../risk.ts';
import type { Tool } from '../tool.ts';
import { searchLimits } from './limits.ts';

export interface ToolDocument {
  readonly id: string;
  readonly server: string;
  readonly name: string;
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  readonly inputSchema?: JsonObject | undefined;
  readonly serverDescription?: string | undefined;
  readonly risk: Risk;
  /** Terms of earlier queries that led to a call of this tool. */
  readonly learned?: readonly string[] | undefined;
}

export function documentOf(
  tool: Tool,
  serverDescription?: string,
  learned?: readonly string[],
): ToolDocument {
  const { ref, server, name, title, description, risk } = tool;
  const { inputSchema } = tool.definition;
  const sent = isObject(inputSchema) ? inputSchema : undefined;
  return {
    id: ref,
    server,
    name,
    title,
    description,
    inputSchema: tool.schema ?? sent,
    serverDescription,
    risk,
    learned,
  };
}

export function serverDescriptionOf({
  serverInfo = {},
  instructions,
}: Partial<Pick<Manifest, 'serverInfo' | 'instructions'>>): string {
  return [serverInfo['title'], serverInfo['description'], instructions]
    .filter((text) => typeof text === 'string')
    .join('. ');
}

interface SchemaWords {
  readonly names: string;
  readonly texts: string;
}

export function schemaWords(schema: JsonObject | undefined): SchemaWords {
  const names: string[] = [];
  const texts: string[] = [];
  const read = (value: unknown, depth: number): void => {
    if (!isObject(value) || depth > searchLimits.schemaDepthMax) return;
    const { properties, items, enum: values, description } = value;
    if (depth > 0 && typeof description === 'string') texts.push(description);
    if (Array.isArray(values)) {
      texts.push(...values.slice(0, searchLimits.enumValuesMax).filter((each) => typeof each === 'string'));
    }
    read(items, depth + 1);
    if (!isObject(properties)) return;
    for (const [name, inner] of Object.entries(properties)) {
      if (names.length >= searchLimits.parametersMax) return;
      names.push(name);
      read(inner, depth + 1);
    }
  };
  read(schema, 0);
  return { names: names.join(' '), texts: texts.join(' ') };
}

export function firstSentence(text: string): string {
  const read = text.slice(0, searchLimits.fieldCharsMax).trimStart();
  const end = SENTENCE_END.exec(read);
  return end ? read.slice(0, end.index + 1) : read;
}

const SENTENCE_END = /[.!?](?=\s|$)|[。！？]|\n\s*\n/;
