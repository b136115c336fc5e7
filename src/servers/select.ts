import type { ServerDefinition, ToolFilter } from './definition.ts';
import type { Profile } from './profile.ts';

export interface SelectableTool {
  readonly name: string;
  readonly risk: 'read' | 'write' | 'destructive' | 'unknown';
}

type SelectableServer = Pick<ServerDefinition, 'id' | 'tools' | 'readOnly'>;

/** The server's own filter always counts; a profile only narrows. Unknown risk is not read-only. */
export function selects(
  profile: Profile | undefined,
  server: SelectableServer,
  tool?: SelectableTool,
): boolean {
  if (profile?.servers && !matchesAny(profile.servers, server.id)) return false;
  if (!tool) return true;
  if (isReadOnly(profile, server) && tool.risk !== 'read') return false;
  return passesFilter(server.tools, tool.name) && passesFilter(profile?.tools, `${server.id}/${tool.name}`);
}

export function withWrites(profile: Profile | undefined): Profile | undefined {
  return profile?.readOnly ? { ...profile, readOnly: false } : profile;
}

function isReadOnly(profile: Profile | undefined, server: Pick<SelectableServer, 'readOnly'>): boolean {
  return server.readOnly || (profile?.readOnly ?? false);
}

/** Deny wins; an empty allow list allows nothing. */
export function passesFilter(filter: ToolFilter | undefined, name: string): boolean {
  if (filter?.deny && matchesAny(filter.deny, name)) return false;
  return !filter?.allow || matchesAny(filter.allow, name);
}

/** `*` is any text, `?` one character. Only the last star is retried, so the cost is bounded. */
export function matchesGlob(glob: string, text: string): boolean {
  let at = 0;
  let inGlob = 0;
  let star = -1;
  let starAt = 0;
  while (at < text.length) {
    if (glob[inGlob] === '*') {
      star = inGlob;
      starAt = at;
      inGlob += 1;
    } else if (inGlob < glob.length && (glob[inGlob] === '?' || glob[inGlob] === text[at])) {
      inGlob += 1;
      at += 1;
    } else if (star >= 0) {
      starAt += 1;
      at = starAt;
      inGlob = star + 1;
    } else return false;
  }
  while (glob[inGlob] === '*') inGlob += 1;
  return inGlob === glob.length;
}

function matchesAny(globs: readonly string[], text: string): boolean {
  return globs.some((glob) => matchesGlob(glob, text));
}
