import { isObject, type JsonObject } from '../base/json.ts';
import { limits } from '../base/limits.ts';

/** `_meta.ui.resourceUri`, or the older `_meta["ui/resourceUri"]`. */
export function appUri({ _meta: meta }: JsonObject): string | undefined {
  if (!isObject(meta)) return undefined;
  const { ui } = meta;
  const uri = isObject(ui) ? (ui['resourceUri'] ?? meta['ui/resourceUri']) : meta['ui/resourceUri'];
  return typeof uri === 'string' && /^ui:\/\/\S+$/.test(uri) && uri.length <= limits.urlCharsMax
    ? uri
    : undefined;
}

/** `_meta.ui.visibility` without `model`: the server's app calls it, a model never sees it. */
export function isForAppOnly({ _meta: meta }: JsonObject): boolean {
  const ui = isObject(meta) ? meta['ui'] : undefined;
  const visibility = isObject(ui) ? ui['visibility'] : undefined;
  return Array.isArray(visibility) && visibility.includes('app') && !visibility.includes('model');
}

/** Whether a host has declared the Apps extension, which is the same in both eras. */
export function showsApps(capabilities: JsonObject | undefined): boolean {
  const extensions = capabilities?.['extensions'];
  return isObject(extensions) && isObject(extensions['io.modelcontextprotocol/ui']);
}
