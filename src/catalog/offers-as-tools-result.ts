import { isObject, type Json, type JsonObject } from '../base/json.ts';
import type { OfferRequest } from './offers-as-tools.ts';

/** What resources and prompts of the hub are, as far as these tools need them. */
export interface OffersApi {
  readonly resources: {
    list(options?: { readonly server?: string }): Promise<{
      readonly resources: readonly OfferedItem[];
      readonly templates: readonly OfferedItem[];
    }>;
    read(request: { readonly server: string; readonly uri: string }, options?: Wait): Promise<JsonObject>;
  };
  readonly prompts: {
    list(options?: { readonly server?: string }): Promise<{ readonly prompts: readonly OfferedItem[] }>;
    get(
      request: {
        readonly server: string;
        readonly name: string;
        readonly args?: Readonly<Record<string, string>>;
      },
      options?: Wait,
    ): Promise<JsonObject>;
  };
}

interface OfferedItem {
  readonly server: string;
  readonly definition: JsonObject;
}

interface Wait {
  readonly signal?: AbortSignal;
}

/** Makes the request and answers with the result of an MCP tool. */
export async function answerOffer(
  request: OfferRequest,
  api: OffersApi,
  wait: Wait = {},
): Promise<JsonObject> {
  switch (request.kind) {
    case 'list-resources': {
      const { resources, templates } = await api.resources.list(only(request.server));
      return structured({ resources: resources.map(shown), templates: templates.map(shown) });
    }
    case 'list-prompts': {
      const { prompts } = await api.prompts.list(only(request.server));
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

/** Icons and metadata cost tokens and tell a model nothing. */
function shown({ server, definition }: OfferedItem): JsonObject {
  const { icons: _icons, _meta, ...rest } = definition;
  return { server, ...rest };
}

/** As text for those who read only text, and as it is for those who read structures. */
function structured(value: JsonObject): JsonObject {
  return { content: [{ type: 'text', text: JSON.stringify(value) }], structuredContent: value };
}

/** Text is given as text; anything else stays an embedded resource, whole. */
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
