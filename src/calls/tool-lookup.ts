import { offeredTools } from '../catalog/catalog.ts';
import type { Tool } from '../catalog/tool.ts';
import type { RawTool } from '../connections/manifest.ts';
import type { ServerDefinition } from '../servers/definition.ts';
import type { Profile } from '../servers/profile.ts';

/**
 * Finds a tool for a call without looking through the catalog each time. Manifests and definitions
 * are never changed in place, so what was worked out for one of them holds as long as it lives.
 */
export class ToolLookup {
  readonly #byName = new WeakMap<readonly RawTool[], ReadonlyMap<string, RawTool>>();
  readonly #offered = new WeakMap<
    RawTool,
    { readonly by: ServerDefinition; readonly tool: Tool | undefined }
  >();

  find(tools: readonly RawTool[], name: string): RawTool | undefined {
    const known = this.#byName.get(tools) ?? new Map(tools.map((tool) => [tool.name, tool]));
    this.#byName.set(tools, known);
    return known.get(name);
  }

  /** The tool as it is offered to whoever calls, or undefined when it is hidden from them. */
  offered(definition: ServerDefinition, raw: RawTool, profile: Profile | undefined): Tool | undefined {
    if (profile) return offeredTools(definition, [raw], profile)[0];
    const known = this.#offered.get(raw);
    if (known?.by === definition) return known.tool;
    const tool = offeredTools(definition, [raw])[0];
    this.#offered.set(raw, { by: definition, tool });
    return tool;
  }
}
