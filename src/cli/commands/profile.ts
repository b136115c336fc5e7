import { PlugError } from '../../base/errors.ts';
import type { Hub } from '../../hub/hub.ts';
import type { Profile } from '../../servers/profile.ts';
import { exitCodes, type ExitCode } from '../exit-codes.ts';
import { renderTable, type Cell } from '../render/table.ts';
import { withProfileName, type Session } from '../session.ts';
import { didYouMean, suggest } from '../../base/suggest.ts';

/** `plug profile list` */
export async function listProfiles(hub: Hub, { out }: Session): Promise<ExitCode> {
  const profiles = await hub.profiles.list();
  out.document({ profiles });
  if (profiles.length === 0) {
    out.line('There are no profiles yet.');
    out.line("Next: plug profile save NAME --servers 'github,linear'");
    return exitCodes.ok;
  }
  const rows = profiles.map((profile): readonly Cell[] => [
    { text: profile.name, style: 'strong' },
    { text: profile.servers?.join(', ') ?? 'all' },
    { text: profile.tools?.allow?.join(', ') ?? 'all' },
    { text: profile.tools?.deny?.join(', ') ?? '' },
    { text: profile.readOnly ? 'read-only' : '' },
  ]);
  const columns = ['PROFILE', 'SERVERS', 'ALLOWED', 'DENIED', 'MODE'].map((title) => ({
    title,
    flexible: true,
  }));
  for (const line of renderTable({ columns, rows, width: out.width })) out.line(...line);
  return exitCodes.ok;
}

/** `plug profile show`: the globs, and what they come to now. */
export async function showProfile(hub: Hub, name: string, { out }: Session): Promise<ExitCode> {
  const profiles = await hub.profiles.list();
  const profile = profiles.find((one) => one.name === name);
  if (!profile) {
    const near = suggest(
      name,
      profiles.map((one) => one.name),
    );
    throw new PlugError('not_found', `There is no profile “${name}”. ${didYouMean(near)}`.trim(), {
      owner: 'you',
      next: 'plug profile list',
      details: { suggestions: near },
    });
  }
  const { tools } = await hub.tools.list({ profile: name });
  const tokens = tools.reduce((sum, tool) => sum + (tool.tokens ?? 0), 0);
  out.document({ profile, tools: tools.map(({ ref }) => ref), tokens });
  out.line({ style: 'strong', text: name }, profile.readOnly ? ' (read-only)' : '');
  const globs = { servers: profile.servers, allow: profile.tools?.allow, deny: profile.tools?.deny };
  for (const [label, given] of Object.entries(globs)) {
    if (given) out.line({ style: 'faint', text: `  ${label.padEnd(8)} ` }, given.join(', '));
  }
  const cost = tokens > 0 ? `, about ${tokens} tokens` : '';
  out.line({ style: 'faint', text: '  offers   ' }, `${tools.length} tools${cost}`);
  for (const { ref } of tools) out.line(`    ${ref}`);
  return exitCodes.ok;
}

export interface SaveProfileArgs {
  readonly name: string;
  readonly servers: readonly string[] | undefined;
  readonly allow: readonly string[] | undefined;
  readonly deny: readonly string[] | undefined;
  readonly readOnly: boolean;
}

/** `plug profile save`: makes the profile, or replaces it. */
export async function saveProfile(hub: Hub, args: SaveProfileArgs, { out }: Session): Promise<ExitCode> {
  const { name, servers, allow, deny, readOnly } = args;
  const tools = { ...(allow ? { allow } : {}), ...(deny ? { deny } : {}) };
  const profile: Profile = {
    name,
    ...(servers ? { servers } : {}),
    ...(allow || deny ? { tools } : {}),
    ...(readOnly ? { readOnly } : {}),
  };
  await hub.profiles.save(profile);
  const offered = await hub.tools.list({ profile: name });
  out.document({ profile, tools: offered.tools.length });
  out.line({ style: 'good', text: '✔ ' }, `${name} is saved; it offers ${offered.tools.length} tools.`);
  return exitCodes.ok;
}

/** `plug profile remove` */
export async function removeProfile(hub: Hub, name: string, { out }: Session): Promise<ExitCode> {
  await withProfileName(hub, name, () => hub.profiles.remove(name));
  out.document({ removed: [name] });
  out.line({ style: 'good', text: '✔ ' }, `The profile ${name} is removed.`);
  return exitCodes.ok;
}
