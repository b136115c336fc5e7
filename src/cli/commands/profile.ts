import { defined } from '../../base/defined.ts';
import type { Hub } from '../../hub/hub.ts';
import type { Profile } from '../../servers/profile.ts';
import { exitCodes, type ExitCode } from '../exit-codes.ts';
import { printTable } from '../render/table.ts';
import { unknownProfile, withProfileName, type Session } from '../session.ts';
import { canonicalRef } from '../tool-lookup.ts';
import { DONE, faint, strong, type Piece } from '../output.ts';

interface OneProfile {
  readonly name: string;
}

/** `plug profile list` */
export async function listProfiles(hub: Hub, { out }: Session): Promise<ExitCode> {
  const profiles = await hub.profiles.list();
  out.document({ profiles });
  if (profiles.length === 0) {
    out.line('There are no profiles yet.');
    out.line("Next: plug profile save NAME --servers 'github,linear'");
    return exitCodes.ok;
  }
  const rows = profiles.map((profile): readonly Piece[] => [
    strong(profile.name),
    profile.servers?.join(', ') ?? 'all',
    profile.tools?.allow?.join(', ') ?? 'all',
    profile.tools?.deny?.join(', ') ?? '',
    profile.readOnly ? 'read-only' : '',
  ]);
  const columns = ['PROFILE', 'SERVERS', 'ALLOWED', 'DENIED', 'MODE'].map((title) => ({
    title,
    flexible: true,
  }));
  printTable(out, columns, rows);
  return exitCodes.ok;
}

/** `plug profile show`: the globs, and what they come to now. */
export async function showProfile(hub: Hub, { name }: OneProfile, { out }: Session): Promise<ExitCode> {
  const profiles = await hub.profiles.list();
  const profile = profiles.find((one) => one.name === name);
  const known = profiles.map((one) => one.name);
  if (!profile) throw unknownProfile(name, known);
  const { tools } = await hub.tools.list({ profile: name });
  const tokens = tools.reduce((sum, tool) => sum + (tool.tokens ?? 0), 0);
  out.document({ profile, tools: tools.map(({ ref }) => ref), tokens });
  out.line(strong(name), profile.readOnly ? ' (read-only)' : '');
  const globs = { servers: profile.servers, allow: profile.tools?.allow, deny: profile.tools?.deny };
  for (const [label, given] of Object.entries(globs)) {
    if (given) out.line(faint(`  ${label.padEnd(8)} `), given.join(', '));
  }
  const cost = tokens > 0 ? `, about ${tokens} tokens` : '';
  out.line(faint('  offers   '), `${tools.length} tools${cost}`);
  for (const { ref } of tools) out.line(`    ${ref}`);
  return exitCodes.ok;
}

export interface SaveProfileArgs extends OneProfile {
  readonly servers?: readonly string[];
  readonly allow?: readonly string[];
  readonly deny?: readonly string[];
  readonly readOnly?: boolean;
}

/** `plug profile save`: makes the profile, or replaces it. */
export async function saveProfile(hub: Hub, args: SaveProfileArgs, { out }: Session): Promise<ExitCode> {
  const { name, servers, readOnly } = args;
  const canonical = (typed: readonly string[] | undefined): Promise<readonly string[]> | undefined =>
    typed && Promise.all(typed.map((one) => canonicalRef(hub, one)));
  const [allow, deny] = await Promise.all([canonical(args.allow), canonical(args.deny)]);
  const tools = allow || deny ? defined({ allow, deny }) : undefined;
  const profile: Profile = defined({ name, servers, tools, readOnly });
  await hub.profiles.save(profile);
  const offered = await hub.tools.list({ profile: name });
  out.document({ profile, tools: offered.tools.length });
  out.line(DONE, `${name} is saved; it offers ${offered.tools.length} tools.`);
  return exitCodes.ok;
}

/** `plug profile remove` */
export async function removeProfile(hub: Hub, { name }: OneProfile, { out }: Session): Promise<ExitCode> {
  await withProfileName(hub, name, () => hub.profiles.remove({ name }));
  out.document({ removed: [name] });
  out.line(DONE, `The profile ${name} is removed.`);
  return exitCodes.ok;
}
