import { isObject, type JsonObject } from '../../base/json.ts';
import { limits } from '../../base/limits.ts';
import type { Manifest } from '../../connections/manifest.ts';
import type { ResolvedServer } from '../../servers/sources.ts';

/** Where the pictures are that a server declares, or its registry for it; the best first. */
export function iconsOf({ definition }: ResolvedServer, manifest: Manifest | undefined): readonly string[] {
  const { icons = [], extra } = definition;
  return [...declaredIn(manifest?.serverInfo ?? {}), ...icons, ...declaredIn(extra)];
}

/** `icons` as the protocol and the official registry have it, or `iconUrl` as Smithery has it. */
export function declaredIn({ icons, iconUrl }: JsonObject): readonly string[] {
  const listed = Array.isArray(icons) ? icons.slice(0, limits.iconsDeclaredMax) : [];
  return [...listed.map((icon) => (isObject(icon) ? icon['src'] : icon)), iconUrl].filter(isUsable);
}

/** Over a line that others can read or change nothing is fetched. */
function isUsable(src: unknown): src is string {
  if (typeof src !== 'string') return false;
  return /^https:\/\//i.test(src) ? src.length <= limits.urlCharsMax : isPictureData(src);
}

function isPictureData(src: string): boolean {
  return (
    /^data:image\/(?:png|jpeg|jpg|webp|gif);base64,/i.test(src) && src.length <= limits.iconBytesMax * 1.5
  );
}
