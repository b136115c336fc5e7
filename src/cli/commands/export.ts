import type { Hub } from '../../hub/hub.ts';
import { exportServer } from '../../editors/export.ts';
import { takeKeys } from '../../servers/clients/plaintext-keys.ts';
import { exitCodes, type ExitCode } from '../exit-codes.ts';
import { withServerName, type Session } from '../session.ts';
import { WARNING } from '../output.ts';

/** `plug export`: a server in another client's words, or as links that install it. */
export async function exportTo(
  hub: Hub,
  { name, to }: { readonly name: string; readonly to: string },
  { out }: Session,
): Promise<ExitCode> {
  const definition = await withServerName(hub, name, () => hub.servers.definition({ id: name }));
  const { text, warnings } = exportServer(definition, to);
  const keys = takeKeys(definition).keys.map(({ where }) => where);
  const all =
    keys.length === 0 ? warnings : [...warnings, `A readable key is part of it (${keys.join(', ')}).`];
  out.document({ server: definition.id, to, text, warnings: all });
  out.text(text.trimEnd());
  for (const warning of all) if (!out.json) out.note(WARNING, warning);
  return exitCodes.ok;
}
