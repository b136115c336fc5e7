import type { JsonObject } from '../../base/json.ts';
import type { SetupTool } from './setup.ts';

const PASTE = {
  type: 'integer',
  description:
    'Number of the person’s message that holds it, word for word, keys included. Use this whenever the person pasted something.',
};

function tool(
  name: SetupTool,
  description: string,
  properties: JsonObject,
  required?: readonly string[],
): JsonObject {
  return {
    name,
    description,
    inputSchema: { type: 'object', properties, ...(required ? { required: [...required] } : {}) },
  };
}

/** The seven tools. None of them writes: what should happen is put before the person. */
export const setupTools: readonly JsonObject[] = [
  tool(
    'search_registry',
    'Searches the registries and the featured servers for a service or a need.',
    { query: { type: 'string', description: 'One or two words, such as “notion”' } },
    ['query'],
  ),
  tool(
    'probe_endpoint',
    'Tells whether an address speaks MCP, and what sign-in it wants. Only for addresses that the person named.',
    { url: { type: 'string' }, paste: PASTE },
  ),
  tool(
    'parse_config',
    'Reads a config, a command, a link or an address: which servers are in it, what is missing, what is damaged and how it would be right.',
    { paste: PASTE, text: { type: 'string', description: 'A text of your own, without keys' } },
  ),
  tool(
    'save_server',
    'Puts a server before the person, who agrees on a card and types keys there. Saves nothing by itself.',
    {
      paste: PASTE,
      text: {
        type: 'string',
        description: 'A name from search_registry, an address or a command, without keys',
      },
      only: {
        type: 'array',
        items: { type: 'string' },
        description: 'Names of the servers to take, when there are several in the text',
      },
    },
  ),
  tool('list_servers', 'The servers that the person has, with their states and latest errors.', {}),
  tool(
    'test_connection',
    'Connects now: to a server that the person has, or to a remote one that they pasted.',
    { server: { type: 'string', description: 'Id of a server that is there' }, paste: PASTE },
  ),
  tool(
    'remove_server',
    'Asks the person whether a server may be removed, and names the keys that would be forgotten. Removes nothing by itself.',
    { server: { type: 'string', description: 'Its id' } },
    ['server'],
  ),
];
