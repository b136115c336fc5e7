import type { JsonObject } from '../base/json.ts';
import type { Era } from '../connections/manifest.ts';
import type { Hub, Offered, ServerView } from '../hub/hub.ts';
import { isProtocolMethod } from '../connections/protocol-methods.ts';
import { renderName } from '../catalog/names.ts';
import { selects } from '../servers/select.ts';
import type { HubView } from './hub-view.ts';
import type { GatewayLimits } from './limits.ts';
import { mapUris, namespacedUris, ownUris, type Uris } from './uris.ts';
import { Offers, type ListMethod } from './offers.ts';
import type { Scope } from './scope.ts';
import type { Surface } from './surface.ts';
import { webAddress } from '../base/web-address.ts';

export interface EndpointOptions {
  readonly view: HubView;
  readonly scope: Scope;
  readonly limits: GatewayLimits;
  readonly version: string;
  readonly surface: Surface;
  readonly guidance: () => Promise<string | undefined>;
}

export interface PromptRef {
  readonly server: string;
  readonly name: string;
}

/** Where one server is passed through: it may know a method that we do not. */
export function passesMethod({ server, readOnly }: Scope, method: string): boolean {
  return server !== undefined && !readOnly && !isProtocolMethod(method);
}

export class Endpoint {
  readonly scope: Scope;
  readonly surface: Surface;
  readonly uris: Uris;
  readonly offers: Offers;
  readonly view: HubView;
  readonly #options: EndpointOptions;
  #headerSchemas:
    | { readonly of: readonly JsonObject[]; readonly schemas: ReadonlyMap<unknown, unknown> }
    | undefined;

  constructor(options: EndpointOptions) {
    this.#options = options;
    this.scope = options.scope;
    this.surface = options.surface;
    this.view = options.view;
    const { server } = options.scope;
    this.uris = server === undefined ? namespacedUris : ownUris(server);
    this.offers = new Offers({
      limits: options.limits,
      revision: () => options.view.revision,
      read: (method, showsApps) => this.#read(method, showsApps),
      serverInfo: () => this.serverInfo(),
    });
  }

  get hub(): Hub {
    return this.view.hub;
  }

  /** The one server that is passed through under its own names. */
  get only(): string | undefined {
    return this.scope.server;
  }

  async serverInfo(): Promise<JsonObject> {
    const own = this.only === undefined ? undefined : (await this.#server(this.only)).serverInfo;
    if (own && this.only !== undefined) return ownInfo(this.only, own);
    return { name: 'plugboard', title: 'Plugboard', version: this.#options.version };
  }

  /** One server's own; otherwise everything the gateway can do, since lists come and go. */
  async capabilities(era: Era): Promise<JsonObject> {
    if (this.only === undefined) return era === 'legacy' ? LEGACY_CAPABILITIES : CAPABILITIES;
    return (await this.#server(this.only)).capabilities ?? {};
  }

  /** What else the one server said of itself as it was connected. */
  async extra(): Promise<JsonObject | undefined> {
    return this.only === undefined ? undefined : (await this.#server(this.only)).extra;
  }

  /** Of an extension that we do not know; only where it is clear which server is meant. */
  passes(method: string): boolean {
    return passesMethod(this.scope, method);
  }

  instructions(): Promise<string | undefined> {
    return this.#options.guidance();
  }

  /** The schema of a tool that wants arguments in headers; a promise if the list must be read first. */
  headerSchema(name: unknown): unknown {
    const tools = this.offers.items('tools/list');
    return tools instanceof Promise
      ? tools.then((read) => this.#headerSchemaIn(read, name))
      : this.#headerSchemaIn(tools, name);
  }

  #headerSchemaIn(tools: readonly JsonObject[], name: unknown): unknown {
    if (this.#headerSchemas?.of !== tools) {
      const wanting = tools.filter((tool) => JSON.stringify(tool['inputSchema'] ?? null).includes(HEADER));
      const schemas = new Map(wanting.map((tool) => [tool['name'], tool['inputSchema']]));
      this.#headerSchemas = { of: tools, schemas };
    }
    return this.#headerSchemas.schemas.get(name);
  }

  promptName(server: string, name: string): string {
    return this.only === undefined ? renderName({ server, tool: name }, 'server__tool') : name;
  }

  async findPrompt(shown: string): Promise<PromptRef | undefined> {
    if (this.only !== undefined) return { server: this.only, name: shown };
    for (const { server, definition } of await this.#prompts()) {
      const name = definition['name'];
      if (typeof name === 'string' && this.promptName(server, name) === shown) return { server, name };
    }
    return undefined;
  }

  /** Whether the profile includes a server: addresses and tasks of others must not be found either. */
  async reach(): Promise<(server: string) => boolean> {
    const { profile: name } = this.scope;
    if (name === undefined) return () => true;
    const profile = (await this.hub.profiles.list()).find((each) => each.name === name);
    return (server) => profile !== undefined && selects(profile, { id: server, tools: {}, readOnly: false });
  }

  /** Connects a server that never was: its endpoint has nothing else to offer. */
  async #server(id: string): Promise<ServerView> {
    const { servers } = this.hub;
    const known = await servers.get({ id });
    return known.capabilities ? known : servers.start({ id });
  }

  async #read(method: ListMethod, showsApps: boolean): Promise<readonly JsonObject[]> {
    switch (method) {
      case 'tools/list':
        return this.surface.list({ showsApps });
      case 'resources/list':
        return this.#shown((await this.#resources()).resources);
      case 'resources/templates/list':
        return this.#shown((await this.#resources()).templates);
      case 'prompts/list':
        return (await this.#prompts()).map(({ server, definition }) => {
          const { name } = definition;
          if (typeof name !== 'string') return definition;
          return { ...definition, name: this.promptName(server, name) };
        });
      default:
        return [];
    }
  }

  #shown(offers: readonly Offered[]): readonly JsonObject[] {
    return offers.map(({ server, definition }) =>
      this.only === undefined ? mapUris(definition, (uri) => this.uris.out(server, uri)) : definition,
    );
  }

  async #resources(): ReturnType<Hub['resources']['list']> {
    const { resources, templates } = await this.hub.resources.list(this.#which);
    return { resources: await this.#inScope(resources), templates: await this.#inScope(templates) };
  }

  async #prompts(): Promise<readonly Offered[]> {
    return this.#inScope((await this.hub.prompts.list(this.#which)).prompts);
  }

  get #which(): { readonly server?: string } {
    return this.only === undefined ? {} : { server: this.only };
  }

  async #inScope(offers: readonly Offered[]): Promise<readonly Offered[]> {
    const reaches = await this.reach();
    return offers.filter(({ server }) => reaches(server));
  }
}

const HEADER = '"x-mcp-header"';

const CAPABILITIES: JsonObject = {
  tools: { listChanged: true },
  resources: { subscribe: true, listChanged: true },
  prompts: { listChanged: true },
  completions: {},
  logging: {},
  extensions: {
    'io.modelcontextprotocol/tasks': {},
    'io.modelcontextprotocol/ui': {},
    'io.modelcontextprotocol/skills': {},
  },
};

/** Tasks of 2025-11-25; which tools take them is said by each tool. They cannot be listed across servers. */
const LEGACY_CAPABILITIES: JsonObject = {
  ...CAPABILITIES,
  tasks: { cancel: {}, requests: { tools: { call: {} } } },
};

/**
 * A server that takes our name or a look-alike is shown under the user's name for it; only web links pass.
 */
function ownInfo(server: string, info: JsonObject): JsonObject {
  const { websiteUrl, ...rest } = info;
  const address = webAddress(websiteUrl);
  const named = Object.entries(rest).map(([field, value]) => {
    const isName = (field === 'name' || field === 'title') && typeof value === 'string';
    return [field, isName && couldBeOurs(value) ? server : value];
  });
  const link = address === undefined ? {} : { websiteUrl: address };
  return { ...Object.fromEntries(named), ...link } as JsonObject; // JSON in, JSON out
}

/** Cyrillic or Greek look-alikes beside Latin letters are there to mislead. */
function couldBeOurs(name: string): boolean {
  const plain = name.normalize('NFKD').toLowerCase();
  if (plain.replaceAll(/[^a-z]/g, '').includes('plugboard')) return true;
  return /[a-z]/.test(plain) && /[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}\p{Cf}]/u.test(plain);
}
