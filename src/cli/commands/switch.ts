import type { Hub, ServerView } from '../../hub/hub.ts';
import { exitCodes, type ExitCode } from '../exit-codes.ts';
import { renderState } from '../render/state.ts';
import { withServerName, type Session } from '../session.ts';

export type Switch = 'enable' | 'disable' | 'read-only on' | 'read-only off';

/** `plug enable`, `plug disable`, `plug read-only`: no file is edited. */
export async function switchServers(
  hub: Hub,
  { names, to }: { readonly names: readonly string[]; readonly to: Switch },
  { out, clock }: Session,
): Promise<ExitCode> {
  const servers: ServerView[] = [];
  for (const name of names) {
    const server = await withServerName(hub, name, () => SWITCHES[to](hub, name));
    servers.push(server);
    const { symbol, words, style } = renderState(server, clock.now());
    const mode = server.readOnly ? ', read-only' : '';
    out.line({ style, text: `${symbol} ` }, `${server.id}: ${words}${mode}`);
  }
  out.document({ servers });
  return exitCodes.ok;
}

const SWITCHES: Readonly<Record<Switch, (hub: Hub, name: string) => Promise<ServerView>>> = {
  enable: (hub, name) => hub.servers.enable({ id: name }),
  disable: (hub, name) => hub.servers.disable({ id: name }),
  'read-only on': (hub, name) => hub.servers.setReadOnly({ id: name, readOnly: true }),
  'read-only off': (hub, name) => hub.servers.setReadOnly({ id: name, readOnly: false }),
};
