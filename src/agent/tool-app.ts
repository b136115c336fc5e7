import { isObject, type JsonObject } from '../base/json.ts';
import { limits } from '../base/limits.ts';
import type { CallResult, Hub } from '../hub/hub.ts';

/** The page that a server brings along for a tool, when its user wants to see such pages. */
export async function appOf(
  hub: Pick<Hub, 'tools' | 'servers'>,
  { server, tool }: Pick<CallResult, 'server' | 'tool'>,
): Promise<{ readonly server: string; readonly uri: string } | undefined> {
  const { tools } = await hub.tools.list({ server, failed: true });
  const called = tools.find(({ name, ref }) => name === tool || ref === tool);
  const uri = called && appUri(called.definition);
  if (uri === undefined || !(await hub.servers.get(server)).apps) return undefined;
  return { server, uri };
}

/** `_meta.ui.resourceUri`, or the older `_meta["ui/resourceUri"]`; only a page counts. */
export function appUri({ _meta: meta }: JsonObject): string | undefined {
  if (!isObject(meta)) return undefined;
  const { ui } = meta;
  const uri = isObject(ui) ? (ui['resourceUri'] ?? meta['ui/resourceUri']) : meta['ui/resourceUri'];
  return typeof uri === 'string' && /^ui:\/\/\S+$/.test(uri) && uri.length <= limits.urlCharsMax
    ? uri
    : undefined;
}
