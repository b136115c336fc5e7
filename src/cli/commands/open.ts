import type { PageLink } from '../../api/listener-operations.ts';
import { exitCodes, type ExitCode } from '../exit-codes.ts';
import { faint, type Output } from '../output.ts';
import { ownCommand } from '../own-command.ts';
import type { Session } from '../session.ts';

/** `plug open`: the page, in the browser; or the link to it, where there is no browser to open. */
export async function openPage({ print }: { readonly print?: boolean }, session: Session): Promise<ExitCode> {
  const { out, hubs, signal } = session;
  const plug = ownCommand(session);
  const link = await out.working('Asking the hub for a link', async () =>
    print ? { ...(await hubs.pageLink(signal)), opened: false } : await hubs.openPage(signal),
  );
  const { url, expiresAt, opened } = link;
  out.document({ url, expiresAt, opened });
  if (opened) {
    out.line({ style: 'good', text: '● ' }, 'The page opens in your browser.');
    out.line(faint(`If it does not: ${plug} open --print`));
  } else renderLink(link, plug, out);
  return exitCodes.ok;
}

/** For a person alone: whoever has the link before them is in. */
export function renderLink({ url }: PageLink, plug: string, out: Output): void {
  out.line('Open the page in a browser on this machine:');
  out.line(`  ${url}`);
  out.line(faint(`The link is good once, for two minutes. Another one: ${plug} open`));
}
