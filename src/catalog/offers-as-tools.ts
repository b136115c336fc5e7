import { PlugError } from '../base/errors.ts';
import { type Json, type JsonObject, isObject } from '../base/json.ts';
import type { RawTool } from '../connections/manifest.ts';
import type { Tool } from './tool.ts';

/** Reserved for our own tools. */
const OWN_SERVER = 'plug';

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
    inputSchema: fields({ server: ONE_SERVER }),
  },
  {
    name: 'read_resource',
    offers: 'resources',
    description: 'Reads one resource of a server, by the address that list_resources tells.',
    inputSchema: fields({ server: SERVER, uri: text('Its address (URI).') }, ['server', 'uri']),
  },
  {
    name: 'list_prompts',
    offers: 'prompts',
    description: 'Lists prompts that the connected servers offer, with their arguments.',
    inputSchema: fields({ server: ONE_SERVER }),
  },
  {
    name: 'get_prompt',
    offers: 'prompts',
    description: 'Fills in a prompt of a server and answers with its messages.',
    inputSchema: fields(
      {
        server: SERVER,
        name: text('The name that list_prompts tells.'),
        arguments: {
          type: 'object',
          description: 'Values for the arguments of the prompt.',
          additionalProperties: { type: 'string' },
        },
      },
      ['server', 'name'],
    ),
  },
];

function fields(properties: JsonObject, required?: readonly string[]): JsonObject {
  return { type: 'object', properties, ...(required ? { required } : {}), additionalProperties: false };
}

/** For hosts and models that know only tools; all of them only read. */
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

export function parseOfferCall(name: string, args: JsonObject): OfferRequest | undefined {
  switch (name) {
    case 'list_resources':
    case 'list_prompts': {
      const kind = name === 'list_resources' ? 'list-resources' : 'list-prompts';
      return args['server'] === undefined ? { kind } : { kind, server: requiredText(args, 'server', name) };
    }
    case 'read_resource': {
      const server = requiredText(args, 'server', name);
      return { kind: 'read-resource', server, uri: requiredText(args, 'uri', name) };
    }
    case 'get_prompt': {
      const given = args['arguments'];
      const request = { server: requiredText(args, 'server', name), name: requiredText(args, 'name', name) };
      const texts = given === undefined ? {} : { args: textsOf(given, name) };
      return { kind: 'get-prompt', ...request, ...texts };
    }
    default:
      return undefined;
  }
}

function requiredText(args: JsonObject, field: string, tool: string): string {
  const value = args[field];
  if (typeof value === 'string' && value !== '') return value;
  throw wrong(tool, field, value === undefined ? 'it is required' : 'it must be text');
}

/** Prompt arguments are text (MCP specification, prompts). */
function textsOf(value: unknown, tool: string): Readonly<Record<string, string>> {
  if (!isObject(value)) throw wrong(tool, 'arguments', 'it must be an object');
  const asText = (each: unknown): string => (typeof each === 'string' ? each : JSON.stringify(each));
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, asText(each)]));
}

function wrong(tool: string, field: string, what: string): PlugError {
  const message = `The argument “${field}” of ${OWN_SERVER}/${tool} is wrong: ${what}.`;
  const remedy = { do: 'list-tools', server: OWN_SERVER, schemas: true } as const;
  return new PlugError('bad_arguments', message, { owner: 'you', remedy, details: { field } });
}

type Ask<Kind> = Omit<Extract<OfferRequest, { readonly kind: Kind }>, 'kind'>;
type Listed<Names extends string> = Promise<Readonly<Record<Names, readonly OfferedItem[]>>>;

export interface OffersApi {
  readonly resources: {
    list(query: Ask<'list-resources'>, options: Wait): Listed<'resources' | 'templates'>;
    read(request: Ask<'read-resource'>, options: Wait): Promise<JsonObject>;
  };
  readonly prompts: {
    list(query: Ask<'list-prompts'>, options: Wait): Listed<'prompts'>;
    get(request: Ask<'get-prompt'>, options: Wait): Promise<JsonObject>;
  };
}

interface OfferedItem {
  readonly server: string;
  readonly definition: JsonObject;
}

interface Wait {
  readonly signal?: AbortSignal;
}

export async function answerOffer(
  request: OfferRequest,
  api: OffersApi,
  wait: Wait = {},
): Promise<JsonObject> {
  switch (request.kind) {
    case 'list-resources': {
      const { resources, templates } = await api.resources.list(only(request.server), wait);
      return structured({ resources: resources.map(shown), templates: templates.map(shown) });
    }
    case 'list-prompts': {
      const { prompts } = await api.prompts.list(only(request.server), wait);
      return structured({ prompts: prompts.map(shown) });
    }
    case 'read-resource':
      return contentsOf(await api.resources.read({ server: request.server, uri: request.uri }, wait));
    case 'get-prompt':
      break;
  }
  const { kind: _kind, ...prompt } = request;
  return structured(await api.prompts.get(prompt, wait));
}

function only(server: string | undefined): { readonly server?: string } {
  return server === undefined ? {} : { server };
}

/** Icons and metadata cost tokens. */
function shown({ server, definition }: OfferedItem): JsonObject {
  const { icons: _icons, _meta, ...rest } = definition;
  return { server, ...rest };
}

function structured(value: JsonObject): JsonObject {
  return { content: [{ type: 'text', text: JSON.stringify(value) }], structuredContent: value };
}

function contentsOf(result: JsonObject): JsonObject {
  const contents: readonly Json[] = Array.isArray(result['contents']) ? result['contents'] : [];
  return {
    content: contents.map((each) =>
      isObject(each) && typeof each['text'] === 'string'
        ? { type: 'text', text: each['text'] }
        : { type: 'resource', resource: each },
    ),
  };
}
