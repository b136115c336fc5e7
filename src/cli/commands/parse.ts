import { secretsSaid } from '../../agent/setup-agent/secrets-said.ts';
import { defined } from '../../base/defined.ts';
import { createRedactor } from '../../base/redact.ts';
import { isRemoteOnly } from '../../base/remote-only.ts';
import { shellWords } from '../../base/shell-words.ts';
import { literalSecretsIn } from '../../hub/secrets-in.ts';
import { featuredLookup } from '../../servers/featured.ts';
import { definitionFrom } from '../../servers/paste/definition-from.ts';
import { parsePaste } from '../../servers/paste/parse-paste.ts';
import type { Paste, PastedServer } from '../../servers/paste/paste.ts';
import { exitCodes, type ExitCode } from '../exit-codes.ts';
import { WARNING, faint, strong, type Output } from '../output.ts';
import { readPasteFile } from '../paste-input.ts';
import { renderPasteNotes } from '../render/plan.ts';
import type { Flags, Session } from '../session.ts';

type ParseArgs = Flags<'remoteOnly' | 'showSecrets'> & { readonly file: string };

/** Uses no hub and no network, and saves nothing. */
export async function parse({ file, showSecrets, ...args }: ParseArgs, session: Session): Promise<ExitCode> {
  const { out } = session;
  const remoteOnly = args.remoteOnly ?? isRemoteOnly(session.env);
  const { text, confidence } = await readPasteFile(file, session);
  const pasted = parsePaste(text, { remoteOnly, featured: featuredLookup });
  const paste = showSecrets ? pasted : masked(pasted, text);
  if (showSecrets) out.note(WARNING, 'Secrets are shown in plain text.');
  const { format, servers, alternatives, problems, repair, notMcp } = paste;
  const screenshot = confidence === undefined ? undefined : { confidence };
  if (!out.document({ format, servers, problems, ...defined({ alternatives, repair, notMcp, screenshot }) }))
    render(paste, out);
  return servers.length > 0 ? exitCodes.ok : exitCodes.failed;
}

/** Masks keys by their value, wherever it appears, and by the name of their field. */
function masked(paste: Paste, text: string): Paste {
  const redactor = createRedactor();
  for (const server of paste.servers) for (const secret of secretsOf(server, text)) redactor.learn(secret);
  return redactor.redactValue(paste);
}

/** Of what cannot be read as a server whatever may be a key is one. */
function secretsOf(server: PastedServer, text: string): readonly string[] {
  try {
    const { command: _wrapper, ...bare } = server;
    const both = server.alt ? [server, { ...bare, ...server.alt }] : [server];
    return both.flatMap((each) => literalSecretsIn(definitionFrom(each, { source: { kind: 'manual' } })));
  } catch {
    return secretsSaid(text);
  }
}

function render(paste: Paste, out: Output): void {
  if (paste.servers.length > 0) out.line(faint(`Read as ${paste.format}.`));
  for (const server of paste.servers) renderServer(server, out);
  for (const group of paste.alternatives ?? []) {
    const name =
      group.map((index) => paste.servers[index]?.name).find((each) => each !== null) ?? 'one server';
    out.line(faint(`${group.length} of these are ways to ${name}: plug add asks which one.`));
  }
  renderPasteNotes(paste, out);
}

function renderServer(server: PastedServer, out: Output): void {
  const { name, command, args = [], url, env = {}, headers = {}, cwd, needs, ref, declined } = server;
  const row = (label: string, text: string): void => {
    if (text !== '') out.line(faint(`  ${label.padEnd(9)} `), text);
  };
  out.line(strong(name ?? '(no name)'), server.disabled ? faint(' (disabled)') : '');
  row('runs', command === undefined ? '' : shellWords([command, ...args]));
  row('contacts', url ?? '');
  row('folder', cwd ?? '');
  row('env', Object.keys(env).join(', '));
  row('headers', Object.keys(headers).join(', '));
  row('listed', ref ? `${ref.kind} ${ref.id}${ref.version === undefined ? '' : ` ${ref.version}`}` : '');
  row('needs', needs.join(', '));
  if (declined !== undefined) out.line({ style: 'warn', text: '  declined  ' }, declined);
}
