import type { Hub } from '../../hub/hub.ts';
import type { Profile } from '../../servers/profile.ts';
import { exitCodes, type ExitCode } from '../exit-codes.ts';
import { renderTable, type Cell } from '../render/table.ts';
import type { Session } from '../session.ts';

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
  await hub.profiles.remove(name);
  out.document({ removed: [name] });
  out.line({ style: 'good', text: '✔ ' }, `The profile ${name} is removed.`);
  return exitCodes.ok;
}
