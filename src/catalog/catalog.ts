import type { Remedy } from '../base/remedy.ts';
import { nextStep } from '../base/remedy-command.ts';
import { limits } from '../base/limits.ts';
import type { Manifest, RawTool } from '../connections/manifest.ts';
import type { ServerDefinition } from '../servers/definition.ts';
import type { Profile } from '../servers/profile.ts';
import { barWords, isBarred, riskWords, type ReadOnlyBar } from '../servers/read-only.ts';
import { passesFilter, selects, withWrites } from '../servers/select.ts';
import type { Facts } from './facts.ts';
import type { Tombstones } from './tombstones.ts';
import { diffFromPin, type Pin } from './pin.ts';
import { riskOf, type Risk } from './risk.ts';
import { checkSchema } from './schemas/check-schema.ts';
import type { ToolFacts } from './store.ts';
import type { ToolSettings } from './tool-settings.ts';
import type { Tool, WithheldCause, WithheldTool } from './tool.ts';

export interface CatalogServer {
  readonly key: string;
  readonly definition: ServerDefinition;
  /** Whether its annotations are believed. */
  readonly trusted: boolean;
}

/** A tool and, if it isn't offered, why. */
export interface CatalogTool {
  readonly tool: Tool;
  readonly hash: string;
  /** The risk without what its person has set; absent where that is the same. */
  readonly told?: Risk;
  readonly enabled: boolean;
  readonly withheld?: WithheldTool;
}

export interface CatalogOptions {
  readonly facts: Facts;
  readonly settings: ToolSettings;
  readonly tombstones: Tombstones;
}

export interface OfferedTools {
  readonly tools: readonly Tool[];
  readonly withheld: readonly WithheldTool[];
}

interface View extends Omit<CatalogServer, 'key'> {
  readonly manifest: Manifest;
  readonly facts: readonly ToolFacts[];
  readonly version: number;
  readonly entries: readonly CatalogTool[];
  readonly byName: ReadonlyMap<string, CatalogTool>;
  /** To callers without a profile. */
  readonly offered: OfferedTools;
}

export class Catalog {
  readonly #options: CatalogOptions;
  readonly #views = new Map<string, View>();

  constructor(options: CatalogOptions) {
    this.#options = options;
  }

  entries(server: CatalogServer, manifest: Manifest): readonly CatalogTool[] {
    return this.#view(server, manifest).entries;
  }

  find(server: CatalogServer, manifest: Manifest, name: string): CatalogTool | undefined {
    return this.#view(server, manifest).byName.get(name);
  }

  offered(server: CatalogServer, manifest: Manifest, profile?: Profile, bar?: ReadOnlyBar): OfferedTools {
    const { entries, offered } = this.#view(server, manifest);
    const { tools, withheld } =
      profile || bar
        ? divided(entries, ({ tool }) => (profile && hiddenBy(profile, server, tool)) ?? barredBy(bar, tool))
        : offered;
    const gone = this.#gone(server);
    return gone.length === 0 ? { tools, withheld } : { tools, withheld: [...withheld, ...gone] };
  }

  gone({ key, definition: { id } }: CatalogServer, name: string): WithheldTool | undefined {
    const stone = this.#options.tombstones.find(key, name);
    return stone && goneTool(id, name, stone.goneAt);
  }

  forget(key: string): void {
    this.#views.delete(key);
    this.#options.facts.forget(key);
    this.#options.tombstones.forget(key);
  }

  #gone({ key, definition: { id } }: CatalogServer): readonly WithheldTool[] {
    return this.#options.tombstones.of(key).map(({ tool, goneAt }) => goneTool(id, tool, goneAt));
  }

  /** Manifests and definitions are immutable: a view holds as long as they do. */
  #view(server: CatalogServer, manifest: Manifest): View {
    const { facts: book, settings } = this.#options;
    const { definition, trusted, key } = server;
    const known = this.#views.get(key);
    const facts = book.of(key, manifest);
    const { version } = settings;
    const same =
      known?.manifest === manifest &&
      known.facts === facts &&
      known.definition === definition &&
      known.trusted === trusted &&
      known.version === version;
    if (same) return known;
    const entries = manifest.tools.map((raw, index) => this.#entry(server, raw, facts[index]));
    const byName = new Map(entries.map((entry) => [entry.tool.name, entry]));
    const offered = divided(entries, () => undefined);
    const view = { manifest, facts, definition, trusted, version, entries, byName, offered };
    this.#views.set(key, view);
    return view;
  }

  #entry(server: CatalogServer, raw: RawTool, fact: ToolFacts | undefined): CatalogTool {
    const { settings } = this.#options;
    const { key, definition, trusted } = server;
    const override = settings.override(key, raw.name);
    const pin = settings.pin(key, raw.name);
    const hash = fact?.hash ?? '';
    const told =
      fact?.risks?.[trusted ? 'believed' : 'doubted'] ?? riskOf(raw, { trusted, server: definition.id });
    const { risk, from } =
      override?.risk === undefined ? told : ({ risk: override.risk, from: 'override' } as const);
    const schema = fact?.plain ? undefined : checkSchema(raw['inputSchema'], limits);
    const tool: Tool = {
      ref: `${definition.id}/${raw.name}`,
      server: definition.id,
      name: raw.name,
      ...(typeof raw['title'] === 'string' ? { title: raw['title'] } : {}),
      ...(typeof raw['description'] === 'string' ? { description: raw['description'] } : {}),
      risk,
      riskFrom: from,
      flags: fact?.flags ?? [],
      pinned: pin?.hash === hash,
      ...(fact?.tokens === undefined ? {} : { tokens: fact.tokens }),
      ...(schema?.ok && schema.repairs ? { repairs: schema.repairs, schema: schema.schema } : {}),
      definition: raw,
    };
    const enabled = override?.enabled !== false;
    const withheld = pin && pin.hash !== hash ? changedTool(tool, hash, pin) : otherwiseWithheld();
    const without = told.risk === risk ? {} : { told: told.risk };
    return { tool, hash, ...without, enabled, ...(withheld ? { withheld } : {}) };

    function otherwiseWithheld(): WithheldTool | undefined {
      if (schema?.ok === false)
        return withhold(tool, 'bad_schema', `Its schema cannot be used: ${schema.reason}`);
      if (!enabled)
        return withhold(tool, 'switched_off', 'It is disabled.', { do: 'enable-tool', tool: tool.ref });
      return hiddenBy(undefined, server, tool);
    }
  }
}

function divided(
  entries: readonly CatalogTool[],
  hides: (entry: CatalogTool) => WithheldTool | undefined,
): OfferedTools {
  const tools: Tool[] = [];
  const withheld: WithheldTool[] = [];
  for (const entry of entries) {
    const why = entry.withheld ?? hides(entry);
    if (why) withheld.push(why);
    else tools.push(entry.tool);
  }
  return { tools, withheld };
}

function hiddenBy(profile: Profile | undefined, { definition }: CatalogServer, tool: Tool) {
  if (selects(profile, definition, tool)) return undefined;
  const { server } = tool;
  if (!passesFilter(definition.tools, tool.name)) {
    return withhold(tool, 'filtered', `The filter of ${server} hides it.`, { do: 'show-server', server });
  }
  if (definition.readOnly && tool.risk !== 'read') {
    const reason = `${server} is read-only, and this tool is ${riskWords[tool.risk]}.`;
    return withhold(tool, 'read_only', reason, { do: 'allow-writes', server });
  }
  const bar = profile?.readOnly ? ({ by: 'profile', name: profile.name } as const) : undefined;
  if (bar && isBarred(bar, tool) && selects(withWrites(profile), definition, tool))
    return barredBy(bar, tool);
  const reason = `The profile ${profile?.name ?? ''} hides it.`;
  return withhold(tool, 'filtered', reason, { do: 'show', what: 'profiles' });
}

function barredBy(bar: ReadOnlyBar | undefined, tool: Tool): WithheldTool | undefined {
  if (!bar || !isBarred(bar, tool)) return undefined;
  const { reason, remedy } = barWords(bar, tool);
  return withhold(tool, 'read_only', reason, remedy);
}

function changedTool(tool: Tool, hash: string, pin: Pin): WithheldTool {
  const reason = 'Its definition changed since it was approved.';
  const withheld = withhold(tool, 'changed', reason, { do: 'approve-tools', tools: [tool.ref] });
  return { ...withheld, diff: diffFromPin(pin, tool.definition), hash };
}

function goneTool(server: string, name: string, goneAt: number): WithheldTool {
  const since = new Date(goneAt).toISOString().slice(0, 16).replace('T', ' ');
  const reason = `${server} no longer has it, since ${since} UTC.`;
  return withhold({ ref: `${server}/${name}`, server, name }, 'gone', reason, { do: 'list-tools', server });
}

function withhold(
  { ref, server, name }: Pick<Tool, 'ref' | 'server' | 'name'>,
  cause: WithheldCause,
  reason: string,
  remedy?: Remedy,
): WithheldTool {
  return { ref, server, name, cause, reason, ...(remedy ? nextStep(remedy) : {}) };
}
