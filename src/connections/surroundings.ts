import { canonicalJson, type Json, type JsonObject } from '../base/json.ts';
import { diffTools, hashManifest, type Manifest } from './manifest.ts';

/**
 * Which manifest a server has, once another of its connections was read. Connections of their own
 * see it from other folders and through other hosts: a description that names the folder, or a tool
 * that is only there, is not a change of the server. So the first place speaks for all, until
 * - it is read again in the same place,
 * - the server says that it is another version, or
 * - something changes while a connection lives, which is then taken over, and nothing else.
 * A tool that only another place has is not known, as there is one list for all hosts.
 */
export function manifestToKeep(
  kept: Manifest | undefined,
  read: Manifest,
  before: Manifest | undefined,
): Manifest {
  if (!kept || kept.place === read.place || isOther(kept, read)) return read;
  return before ? withChanges(kept, before, read) : kept;
}

function isOther(kept: Manifest, read: Manifest): boolean {
  const named = ({ era, serverInfo }: Manifest): string => canonicalJson({ era, serverInfo });
  return named(kept) !== named(read);
}

/** `kept`, with what has changed from `before` to `read`. */
function withChanges(kept: Manifest, before: Manifest, read: Manifest): Manifest {
  const { added, removed, changed } = diffTools(before, read);
  const touched = new Set([...added, ...removed, ...changed]);
  const newer = new Map(read.tools.filter(({ name }) => touched.has(name)).map((tool) => [tool.name, tool]));
  const tools = kept.tools.flatMap((tool) => {
    const now = touched.has(tool.name) ? newer.get(tool.name) : tool;
    newer.delete(tool.name);
    return now ? [now] : [];
  });
  const list = (pick: (manifest: Manifest) => readonly JsonObject[]): readonly JsonObject[] =>
    same(pick(before), pick(read)) ? pick(kept) : pick(read);
  const merged = {
    ...kept,
    tools: [...tools, ...newer.values()],
    resources: list(({ resources }) => resources),
    resourceTemplates: list(({ resourceTemplates }) => resourceTemplates),
    prompts: list(({ prompts }) => prompts),
  };
  const hash = hashManifest(merged);
  return hash === kept.hash ? kept : { ...merged, hash };
}

function same(a: readonly Json[], b: readonly Json[]): boolean {
  return canonicalJson(a) === canonicalJson(b);
}
