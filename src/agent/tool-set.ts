import { jsonSchema, tool, type JSONSchema7, type ToolSet } from 'ai';
import { isObject, type JsonObject } from '../base/json.ts';
import { adaptSchema } from '../catalog/providers/adapt-schema.ts';
import { restoreArguments } from '../catalog/providers/field-names.ts';
import { PROVIDER_LIMITS } from '../catalog/providers/provider-limits.ts';
import { suffixName } from '../catalog/providers/shown-tool.ts';

/** Tools as the SDK hands them to a model. It runs none of them: every call takes the hub's one path. */
export interface ShownTools {
  readonly tools: ToolSet;
  /** The name and the arguments as the tool itself knows them. */
  readonly own: (name: string, args: JsonObject) => { readonly name: string; readonly args: JsonObject };
}

export function toolSet(definitions: readonly JsonObject[]): ShownTools {
  const limits = PROVIDER_LIMITS['ai-sdk'];
  const schemas = new Map<string, { readonly name: string; readonly schema: JsonObject }>();
  const entries = definitions.map((definition) => {
    const { name, description, inputSchema } = definition;
    const own = typeof name === 'string' ? name : '';
    const schema = isObject(inputSchema) ? inputSchema : { type: 'object' };
    const adapted = adaptSchema(schema, limits);
    const shown = limits.name.test(own) ? own : suffixName(own, own, limits.nameCharsMax);
    schemas.set(shown, { name: own, schema });
    const text = [typeof description === 'string' ? description : '', ...adapted.lost].join(' ').trim();
    // Every JSON Schema is one to the SDK, which does not look into it.
    return [
      shown,
      tool({ description: text, inputSchema: jsonSchema(adapted.schema as JSONSchema7) }),
    ] as const;
  });
  return {
    tools: Object.fromEntries(entries) as ToolSet, // no tool of it is run by the SDK
    own: (name, args) => {
      const known = schemas.get(name);
      return known ? { name: known.name, args: restoreArguments(known.schema, args) } : { name, args };
    },
  };
}
