import { PlugError } from '../base/errors.ts';
import { didYouMean, suggest } from '../base/suggest.ts';

/**
 * Rules and quotas speak of groups by name: one that isn't there would hold for nobody, or let nothing
 * through. Names that stood there before may stay, since a group can be removed under them.
 */
export async function checkGroupNames(
  names: readonly string[],
  before: readonly string[],
  known: () => Promise<readonly string[]>,
): Promise<void> {
  const fresh = names.filter((name) => !before.includes(name));
  if (fresh.length === 0) return;
  const groups = await known();
  const unknown = fresh.find((name) => !groups.includes(name));
  if (unknown === undefined) return;
  const near = suggest(unknown, groups);
  const guess = didYouMean(near.map((name) => `“${name}”`));
  throw new PlugError('usage', `There is no group “${unknown}” in this team. ${guess}`.trimEnd(), {
    owner: 'you',
    ...(near.length === 0 ? { remedy: 'Add the group first.' } : {}),
    details: { group: unknown, near },
  });
}
