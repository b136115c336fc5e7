import type { JsonObject } from '../../base/json.ts';
import { READ_RESULT } from './read-result.ts';

export const SEARCH_TOOLS = 'search_tools';
export const DESCRIBE_TOOL = 'describe_tool';
export const CALL_TOOL = 'call_tool';

/** Every word costs every host: they must stay below 400 tokens. */
export const searchDefinitions: readonly JsonObject[] = [
  {
    name: SEARCH_TOOLS,
    description:
      'Finds tools of the connected servers by what they do. Give several short queries, one for each ' +
      'step or wording. Answers with one line for each tool, and names of related ones.',
    inputSchema: {
      type: 'object',
      properties: {
        queries: { type: 'array', items: { type: 'string' }, description: 'Such as “create issue”' },
        server: { type: 'string', description: 'Only this server' },
        risk: { type: 'string', enum: ['read', 'write', 'destructive', 'unknown'] },
        limit: { type: 'integer', description: 'For each query, default 8' },
      },
      required: ['queries'],
    },
    annotations: { readOnlyHint: true },
  },
  {
    name: DESCRIBE_TOOL,
    description: 'Gives the input schemas of tools. Read them before the first call.',
    inputSchema: {
      type: 'object',
      properties: { names: { type: 'array', items: { type: 'string' } } },
      required: ['names'],
    },
    annotations: { readOnlyHint: true },
  },
  {
    name: CALL_TOOL,
    description: `Calls a tool. Where a result was cut, read on with ${READ_RESULT} {id, page | grep | path}.`,
    inputSchema: {
      type: 'object',
      properties: { name: { type: 'string' }, arguments: { type: 'object' } },
      required: ['name'],
    },
  },
];
