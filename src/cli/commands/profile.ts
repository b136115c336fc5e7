import { defined } from '../../base/defined.ts';
import type { Profile } from '../../servers/profile.ts';
import { DONE, faint, strong } from '../output.ts';
import { flexible, printTable } from '../render/table.ts';
import { unknownProfile, withProfileName, type HubSession, type Named } from '../session.ts';
import { canonicalRef } from '../tool-lookup.ts';

export async function listProfiles({ hub, out }: HubSession): Promise<void> {
  const profiles = await hub.profiles.list();
  out.document({ profiles });
  printTable(
    out,
    ['PROFILE', 'SERVERS', 'ALLOWED', 'DENIED', 'MODE'].map(flexible),
    profiles.map(({ name, servers, tools, readOnly }) => [
      strong(name),
      servers?.join(', ') ?? 'all',
      tools?.allow?.join(', ') ?? 'all',
      tools?.deny?.join(', ') ?? '',
      readOnly ? 'read-only' : '',
    ]),
    'No profiles yet.',
    "Next: plug profile save NAME --servers 'github,linear'",
  );
}

export async function showProfile({ name }: Named, { hub, out }: HubSession): Promise<void> {
  const profiles = await hub.profiles.list();
  const profile = profiles.find((one) => one.name === name);
  if (!profile)
    throw unknownProfile(
      name,
      profiles.map((one) => one.name),
    );
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
}

interface SaveProfileArgs extends Named {
  readonly servers?: readonly string[];
  readonly allow?: readonly string[];
  readonly deny?: readonly string[];
  readonly readOnly?: boolean;
}

export async function saveProfile(args: SaveProfileArgs, { hub, out }: HubSession): Promise<void> {
  const { name, servers, readOnly } = args;
  const canonical = (typed?: readonly string[]): Promise<readonly string[]> | undefined =>
    typed && Promise.all(typed.map((one) => canonicalRef(hub, one)));
  const [allow, deny] = await Promise.all([canonical(args.allow), canonical(args.deny)]);
  const tools = allow || deny ? defined({ allow, deny }) : undefined;
  const profile: Profile = defined({ name, servers, tools, readOnly });
  await hub.profiles.save(profile);
  const offered = await hub.tools.list({ profile: name });
  out.document({ profile, tools: offered.tools.length });
  out.line(DONE, `${name} is saved; it offers ${offered.tools.length} tools.`);
}

export async function removeProfile({ name }: Named, { hub, out }: HubSession): Promise<void> {
  await withProfileName(hub, name, () => hub.profiles.remove({ name }));
  out.document({ removed: [name] });
  out.line(DONE, `The profile ${name} is removed.`);
}
