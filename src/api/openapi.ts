import { z } from 'zod';
import { isObject, type JsonObject } from '../base/json.ts';
import type { Route } from '../hub/operations/operation.ts';
import { schemaOf } from '../hub/operations/parse-input.ts';
import { operationNames, routedOperations, routes, usesQuery, type OperationName } from './routes.ts';

export function describeApi(version: string): JsonObject {
  const paths: Record<string, Record<string, JsonObject>> = {};
  for (const name of operationNames) {
    const { path, method } = routes[name];
    const template = path.replaceAll(/:(\w+)/g, '{$1}');
    paths[template] = { ...paths[template], [method.toLowerCase()]: describe(name) };
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Plugboard hub', version },
    security: [{ token: [] }],
    paths,
    components: { securitySchemes: { token: { type: 'http', scheme: 'bearer' } }, schemas: { Error: ERROR } },
  };
}

function describe(name: OperationName): JsonObject {
  const { route, summary } = routedOperations[name];
  const inPath = [...route.path.matchAll(/:(\w+)/g)].map((match) => String(match[1]));
  const schema = without(jsonSchemaOf(name), inPath);
  const parameters = [
    ...inPath.map((field) => ({ name: field, in: 'path', required: true, schema: { type: 'string' } })),
    ...(usesQuery(route) ? describeQuery(schema) : []),
  ];
  return {
    operationId: name,
    summary,
    ...(name === 'health' ? { security: [] } : {}),
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(usesQuery(route) ? {} : { requestBody: { content: { 'application/json': { schema } } } }),
    responses: { ...describeAnswer(route), default: PROBLEM },
  };
}

function describeQuery(schema: JsonObject): readonly JsonObject[] {
  const fields = Object.entries(isObject(schema['properties']) ? schema['properties'] : {});
  const required = Array.isArray(schema['required']) ? schema['required'] : [];
  return fields.map(([field, of]) => ({
    name: field,
    in: 'query',
    required: required.includes(field),
    schema: of as JsonObject, // made by z.toJSONSchema
  }));
}

function without(schema: JsonObject, fields: readonly string[]): JsonObject {
  const cut: Record<string, unknown> = { ...schema };
  if (isObject(cut['properties'])) {
    cut['properties'] = Object.fromEntries(
      Object.entries(cut['properties']).filter(([name]) => !fields.includes(name)),
    );
  }
  if (Array.isArray(cut['required']))
    cut['required'] = cut['required'].filter((name) => !fields.includes(name));
  if (Array.isArray(cut['anyOf'])) cut['anyOf'] = cut['anyOf'].map((each) => without(each, fields));
  return cut as JsonObject; // parts of a JSON schema are JSON
}

function describeAnswer(route: Route): JsonObject {
  const json = { 'application/json': { schema: {} } };
  const events = { 'text/event-stream': { schema: { type: 'string' } } };
  if (route.stream === 'events') return { 200: { description: 'A stream of events.', content: events } };
  if (route.stream === 'progress') {
    const description =
      'The result; as a stream: `progress` and `approval` events, then `result` or `error`.';
    return { 200: { description, content: { ...json, ...events } } };
  }
  return { 200: { description: 'The result.', content: json }, 204: { description: 'Done.' } };
}

function jsonSchemaOf(name: OperationName): JsonObject {
  const { $schema: _dialect, ...schema } = z.toJSONSchema(schemaOf(routedOperations[name]), {
    io: 'input',
    unrepresentable: 'any',
  });
  return schema as JsonObject; // a JSON schema is JSON
}

const PROBLEM: JsonObject = {
  description: 'What went wrong, who can fix it, and the next step.',
  content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
};

const ERROR: JsonObject = {
  type: 'object',
  required: ['error'],
  properties: {
    error: {
      type: 'object',
      required: ['code', 'message', 'owner'],
      properties: {
        code: { type: 'string' },
        message: { type: 'string' },
        owner: { enum: ['you', 'server', 'network', 'registry', 'plugboard'] },
        next: { type: 'string' },
        remedy: { type: 'object', required: ['do'], properties: { do: { type: 'string' } } },
        server: { type: 'string' },
        details: { type: 'object' },
      },
    },
  },
};
