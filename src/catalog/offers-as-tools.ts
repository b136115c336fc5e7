import { PlugError } from '../base/errors.ts';
import { isObject, type JsonObject } from '../base/json.ts';
import type { RawTool } from '../connections/manifest.ts';
import type { Tool } from './tool.ts';

/** The server id under which tools of our own stand; no server of a user may have it. */
const OWN_SERVER = 'plug';

/** What such a tool asks for: one request of the hub's resources or prompts. */
export type OfferRequest =
  | { readonly kind: 'list-resources'; readonly server?: string }
  | { readonly kind: 'read-resource'; readonly server: string; readonly uri: string }
  | { readonly kind: 'list-prompts'; readonly server?: string }
  | {
      readonly kind: 'get-prompt';
      readonly server: string;
      readonly name: string;
      readonly args?: Readonly<Record<string, string>>;
    };

type Definition = RawTool & { readonly description: string; readonly offers: 'resources' | 'prompts' };

const text = (description: string): JsonObject => ({ type: 'string', description });
const SERVER = text('The server that offers it.');
const ONE_SERVER = text('Only what this server offers. Default: all servers.');

const DEFINITIONS: readonly Definition[] = [
  {
    name: 'list_resources',
    offers: 'resources',
    description: 'Lists resources (files, pages, records) that the connected servers offer for reading.',
    inputSchema: { type: 'object', properties: { server: ONE_SERVER }, additionalProperties: false },
  },
  {
    name: 'read_resource',
    offers: 'resources',
    description: 'Reads one resource of a server, by the address that list_resources tells.',
    inputSchema: {
      type: 'object',
      properties: { server: SERVER, uri: text('Its address (URI).') },
      required: ['server', 'uri'],
      additionalProperties: false,
    },
  },
  {
    name: 'list_prompts',
    offers: 'prompts',
    description: 'Lists prompts that the connected servers offer, with their arguments.',
    inputSchema: { type: 'object', properties: { server: ONE_SERVER }, additionalProperties: false },
  },
  {
    name: 'get_prompt',
    offers: 'prompts',
    description: 'Fills in a prompt of a server and answers with its messages.',
    inputSchema: {
      type: 'object',
      properties: {
        server: SERVER,
        name: text('The name that list_prompts tells.'),
        arguments: {
          type: 'object',
          description: 'Values for the arguments of the prompt.',
          additionalProperties: { type: 'string' },
        },
      },
      required: ['server', 'name'],
      additionalProperties: false,
    },
  },
];

/** Resources and prompts as tools, for hosts and models that know only tools; all of them only read. */
export function offerTools(offers: {
  readonly resources: boolean;
  readonly prompts: boolean;
}): readonly Tool[] {
  return DEFINITIONS.filter((definition) => offers[definition.offers]).map(
    ({ offers: _offers, ...definition }) => ({
      ref: `${OWN_SERVER}/${definition.name}`,
      server: OWN_SERVER,
      name: definition.name,
      description: definition.description,
      risk: 'read',
      riskFrom: 'override',
      flags: [],
      pinned: true,
      definition: { ...definition, annotations: { readOnlyHint: true } },
    }),
  );
}

/** What a call of such a tool asks of the hub; undefined when the name is none of theirs. */
export function parseOfferCall(name: string, args: JsonObject): OfferRequest | undefined {
  switch (name) {
    case 'list_resources':
    case 'list_prompts': {
      const kind = name === 'list_resources' ? 'list-resources' : 'list-prompts';
      return args['server'] === undefined ? { kind } : { kind, server: textOf(args, 'server', name) };
    }
    case 'read_resource':
      return { kind: 'read-resource', server: textOf(args, 'server', name), uri: textOf(args, 'uri', name) };
    case 'get_prompt': {
      const given = args['arguments'];
      const request = { server: textOf(args, 'server', name), name: textOf(args, 'name', name) };
      return {
        kind: 'get-prompt',
        ...request,
        ...(given === undefined ? {} : { args: textsOf(given, name) }),
      };
    }
    default:
      return undefined;
  }
}

function textOf(args: JsonObject, field: string, tool: string): string {
  const value = args[field];
  if (typeof value === 'string' && value !== '') return value;
  throw wrong(tool, field, value === undefined ? 'it is required' : 'it must be text');
}

/** Arguments of prompts are text (MCP specification, prompts); numbers and switches are written out. */
function textsOf(value: unknown, tool: string): Readonly<Record<string, string>> {
  if (!isObject(value)) throw wrong(tool, 'arguments', 'it must be an object');
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [
      name,
      typeof each === 'string' ? each : JSON.stringify(each),
    ]),
  );
}

function wrong(tool: string, field: string, what: string): PlugError {
  return new PlugError(
    'bad_arguments',
    `The argument “${field}” of ${OWN_SERVER}/${tool} is wrong: ${what}.`,
    {
      owner: 'you',
      next: `plug tools ${OWN_SERVER} --json`,
      details: { field },
    },
  );
}
