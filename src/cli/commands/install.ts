import { sizeInWords } from '../../base/size-in-words.ts';
import { DONE, faint } from '../output.ts';
import { withServerName } from '../session.ts';
import type { Flags, HubSession } from '../session.ts';

/** `plug install SERVER`: its package, at one version, into our store. */
export async function install(
  { name, scripts = false }: { readonly name: string } & Flags<'scripts'>,
  { hub, out, signal }: HubSession,
): Promise<void> {
  const outcome = await out.working(`Installing the package of ${name}`, (say) =>
    withServerName(hub, name, () =>
      hub.servers.install({ id: name, scripts }, { signal, onProgress: ({ text }) => say(text) }),
    ),
  );
  out.document(outcome);
  const { package: pack, already } = outcome;
  const packages = `${pack.packages} ${pack.packages === 1 ? 'package' : 'packages'}`;
  out.line(
    DONE,
    `${pack.name} ${pack.version} is ${already ? 'installed already' : 'installed'}: ${packages}, ${sizeInWords(pack.bytes)}.`,
  );
  out.line(faint(`  ${name} now starts from the installed package.`));
}
