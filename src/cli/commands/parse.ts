import { featuredLookup } from '../../servers/featured.ts';
import { parsePaste } from '../../servers/paste/parse-paste.ts';
import type { Paste, PastedServer } from '../../servers/paste/paste.ts';
import { exitCodes, type ExitCode } from '../exit-codes.ts';
import type { Output } from '../output.ts';
import { readPasteFile } from '../paste-input.ts';
import { renderPasteNotes } from '../render/paste.ts';
import { shellWords } from '../render/words.ts';
import type { Session } from '../session.ts';

/** `plug parse`: what is in a paste. No hub, no network, nothing saved. */
export async function parse(
  { file, remoteOnly }: { readonly file: string; readonly remoteOnly: boolean },
  session: Session,
): Promise<ExitCode> {
  const { out } = session;
  const { text, confidence } = await readPasteFile(file, session);
  const paste = parsePaste(text, { remoteOnly, featured: featuredLookup });
  const { format, servers, problems, repair, notMcp } = paste;
  out.document({
    format,
    servers,
    problems,
    ...(repair ? { repair } : {}),
    ...(notMcp === undefined ? {} : { notMcp }),
    ...(confidence === undefined ? {} : { screenshot: { confidence } }),
  });
  if (!out.json) render(paste, out);
  return servers.length > 0 ? exitCodes.ok : exitCodes.failed;
}

function render(paste: Paste, out: Output): void {
  if (paste.servers.length > 0) out.line({ style: 'faint', text: `Read as ${paste.format}.` });
  for (const server of paste.servers) renderServer(server, out);
  renderPasteNotes(paste, out);
}

function renderServer(server: PastedServer, out: Output): void {
  const { name, command, args = [], url, env = {}, headers = {}, cwd, needs, ref, declined } = server;
  const row = (label: string, text: string): void => {
    if (text !== '') out.line({ style: 'faint', text: `  ${label.padEnd(9)} ` }, text);
  };
  out.line(
    { style: 'strong', text: name ?? '(no name)' },
    server.disabled ? { style: 'faint', text: ' (switched off)' } : '',
  );
  row('runs', command === undefined ? '' : shellWords([command, ...args]));
  row('contacts', url ?? '');
  row('folder', cwd ?? '');
  row('env', Object.keys(env).join(', '));
  row('headers', Object.keys(headers).join(', '));
  row('listed', ref ? `${ref.kind} ${ref.id}${ref.version === undefined ? '' : ` ${ref.version}`}` : '');
  row('needs', needs.join(', '));
  if (declined !== undefined) out.line({ style: 'warn', text: '  declined  ' }, declined);
}
