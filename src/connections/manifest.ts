import { createHash } from 'node:crypto';
import { canonicalJson, type JsonObject } from '../base/json.ts';

export type Era = 'modern' | 'legacy';

/** Exactly as the server sent it, unknown fields included. */
export type RawTool = JsonObject & { readonly name: string };

/** What a server said it offers, stored so that no list waits for the server. */
export interface Manifest {
  readonly server: string;
  /** Of the definition it was fetched under; another fingerprint makes it stale. */
  readonly fingerprint: string;
  readonly fetchedAt: number;
  /** The folder or host of a connection that is not shared by all. */
  readonly place?: string;
  readonly era: Era;
  readonly protocolVersion: string;
  readonly serverInfo: JsonObject;
  readonly instructions?: string;
  readonly capabilities: JsonObject;
  /** What else the server said of itself in `initialize` or `server/discover`, `_meta` included. */
  readonly extra?: JsonObject;
  readonly tools: readonly RawTool[];
  readonly resources: readonly JsonObject[];
  readonly resourceTemplates: readonly JsonObject[];
  readonly prompts: readonly JsonObject[];
  /** Sentences about what was cut or set aside. */
  readonly problems: readonly string[];
  /** Equal hashes mean that nothing changed. */
  readonly hash: string;
}

export function hashManifest(manifest: Omit<Manifest, 'hash' | 'fetchedAt'>): string {
  const { tools, resources, resourceTemplates, prompts, serverInfo, instructions, extra } = manifest;
  const offered = { tools, resources, resourceTemplates, prompts, serverInfo, instructions, extra };
  return createHash('sha256').update(canonicalJson(offered)).digest('hex');
}

export type ManifestList = 'tools' | 'resources' | 'prompts';

export interface ManifestDiff {
  readonly added: readonly string[];
  readonly removed: readonly string[];
  readonly changed: readonly string[];
  /** Which lists are not what they were; templates count as resources. */
  readonly lists: readonly ManifestList[];
}

export function diffManifests(before: Manifest | undefined, after: Manifest): ManifestDiff {
  const part = (list: ManifestList, manifest: Manifest | undefined): string =>
    canonicalJson(manifest ? PARTS[list](manifest) : []);
  const all = Object.keys(PARTS) as ManifestList[]; // its own keys
  const lists = all.filter((list) => part(list, before) !== part(list, after));
  return { ...diffTools(before, after), lists };
}

const PARTS: Readonly<Record<ManifestList, (manifest: Manifest) => readonly (readonly JsonObject[])[]>> = {
  tools: ({ tools }) => [tools],
  resources: ({ resources, resourceTemplates }) => [resources, resourceTemplates],
  prompts: ({ prompts }) => [prompts],
};

export function diffTools(
  before: Pick<Manifest, 'tools'> | undefined,
  after: Pick<Manifest, 'tools'>,
): Pick<ManifestDiff, 'added' | 'removed' | 'changed'> {
  const old = new Map((before?.tools ?? []).map((tool) => [tool.name, canonicalJson(tool)]));
  const added: string[] = [];
  const changed: string[] = [];
  for (const tool of after.tools) {
    const text = old.get(tool.name);
    if (text === undefined) added.push(tool.name);
    else if (text !== canonicalJson(tool)) changed.push(tool.name);
    old.delete(tool.name);
  }
  return { added, changed, removed: [...old.keys()] };
}
