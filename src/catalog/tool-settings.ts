import { defined } from '../base/defined.ts';
import type { Clock } from '../base/clock.ts';
import type { OwnerId } from '../servers/store.ts';
import { hashTool, pinnedText, type Pin } from './pin.ts';
import type { Risk } from './risk.ts';
import type { ToolOverride, ToolStore } from './store.ts';
import type { Tool } from './tool.ts';

export class ToolSettings {
  readonly #options: { readonly store: ToolStore; readonly owner: OwnerId; readonly clock: Clock };
  readonly #pins = new Map<string, Map<string, Pin>>();
  readonly #overrides = new Map<string, Map<string, ToolOverride>>();
  /** Changes with every write, for caches. */
  #version = 0;

  constructor(options: { readonly store: ToolStore; readonly owner: OwnerId; readonly clock: Clock }) {
    this.#options = options;
  }

  async load(): Promise<void> {
    const { store, owner } = this.#options;
    const [pins, overrides] = await Promise.all([store.listPins(owner), store.listToolOverrides(owner)]);
    for (const pin of pins) inner(this.#pins, pin.server).set(pin.tool, pin);
    for (const override of overrides) inner(this.#overrides, override.server).set(override.tool, override);
    this.#version += 1;
  }

  get version(): number {
    return this.#version;
  }

  pin(server: string, tool: string): Pin | undefined {
    return this.#pins.get(server)?.get(tool);
  }

  override(server: string, tool: string): ToolOverride | undefined {
    return this.#overrides.get(server)?.get(tool);
  }

  /** Only these definitions are approved from now on. */
  async approve(server: string, tools: readonly Pick<Tool, 'name' | 'definition'>[]): Promise<void> {
    const pins = tools.map(({ name, definition }) => ({
      server,
      tool: name,
      hash: hashTool(definition),
      definition: pinnedText(definition),
      pinnedAt: this.#options.clock.now(),
    }));
    if (pins.length === 0) return;
    await this.#options.store.putPins(this.#options.owner, pins);
    for (const pin of pins) inner(this.#pins, server).set(pin.tool, pin);
    this.#version += 1;
  }

  async unpin(server: string): Promise<void> {
    await this.#options.store.deletePins(this.#options.owner, server);
    this.#pins.delete(server);
    this.#version += 1;
  }

  async setEnabled(server: string, tool: string, enabled: boolean): Promise<void> {
    const { risk } = this.override(server, tool) ?? {};
    await this.#put({ server, tool, ...defined({ enabled: enabled ? undefined : false, risk }) });
  }

  async setRisk(server: string, tool: string, risk: Risk | undefined): Promise<void> {
    const { enabled } = this.override(server, tool) ?? {};
    await this.#put({ server, tool, ...defined({ enabled, risk }) });
  }

  async forget(server: string): Promise<void> {
    await this.#options.store.forgetServer(this.#options.owner, server);
    this.#pins.delete(server);
    this.#overrides.delete(server);
    this.#version += 1;
  }

  async #put(override: ToolOverride): Promise<void> {
    await this.#options.store.putToolOverride(this.#options.owner, override);
    const decided = override.enabled !== undefined || override.risk !== undefined;
    const known = inner(this.#overrides, override.server);
    if (decided) known.set(override.tool, override);
    else known.delete(override.tool);
    this.#version += 1;
  }
}

function inner<V>(outer: Map<string, Map<string, V>>, key: string): Map<string, V> {
  const known = outer.get(key) ?? new Map<string, V>();
  outer.set(key, known);
  return known;
}
