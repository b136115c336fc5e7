import type { ToolOverride } from '../catalog/store.ts';

/** Such an override is not kept: nothing was decided about the tool. */
export function decidesNothing({ enabled, risk }: ToolOverride): boolean {
  return enabled === undefined && risk === undefined;
}
