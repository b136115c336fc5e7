import { isObject, type JsonObject } from '../base/json.ts';

export type Risk = 'read' | 'write' | 'destructive' | 'unknown';

const DESTRUCTIVE = new Set(
  'delete remove destroy drop purge erase wipe truncate kill terminate revoke uninstall reset overwrite format'.split(
    ' ',
  ),
);
const WRITE = new Set(
  'write create update set add insert append put post send move rename copy edit modify patch upload publish save merge close open assign invite start stop restart run execute exec trigger install enable disable book buy pay order submit approve reply comment push commit toggle'.split(
    ' ',
  ),
);
const READ = new Set(
  'read get list search find fetch query show view describe lookup count check status info browse explain summarize summarise diff compare validate preview ping help'.split(
    ' ',
  ),
);

const ORDER: readonly Risk[] = ['read', 'unknown', 'write', 'destructive'];

/**
 * What a tool may do. The name decides; a server's own annotations may only raise the risk, as
 * they are hints of somebody who is not trusted yet (spec 2026-07-28, tool annotations).
 */
export function riskOf(tool: JsonObject & { readonly name: string }): Risk {
  const byName = riskOfName(tool.name);
  const annotations = isObject(tool['annotations']) ? tool['annotations'] : {};
  const hinted: Risk =
    annotations['destructiveHint'] === true && annotations['readOnlyHint'] !== true
      ? 'destructive'
      : annotations['readOnlyHint'] === false
        ? 'write'
        : 'read';
  return ORDER.indexOf(hinted) > ORDER.indexOf(byName) ? hinted : byName;
}

/** Word boundaries of snake_case, camelCase and kebab-case; the gravest word wins. */
function riskOfName(name: string): Risk {
  const words = name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/);
  if (words.some((word) => DESTRUCTIVE.has(word))) return 'destructive';
  if (words.some((word) => WRITE.has(word))) return 'write';
  if (words.some((word) => READ.has(word))) return 'read';
  return 'unknown';
}
