import type { ConfigFileView } from '../../hub/hub.ts';
import { ownPaths, renderPaths } from '../config/own-files.ts';
import { changeFor, knownKey, settingsFrom, type SettingView } from '../config/settings.ts';
import { DONE, faint, strong, type Output, type Piece } from '../output.ts';
import { shortHome } from '../render/path.ts';
import { flexible, printTable } from '../render/table.ts';
import type { HubSession } from '../session.ts';

export async function listConfig(session: HubSession): Promise<void> {
  const { hub, out } = session;
  const { files: own, ...paths } = ownPaths(session);
  const [settings, { files }] = await Promise.all([readSettings(session), hub.servers.list()]);
  out.document({ paths, own, files, settings });
  if (out.json) return;
  renderPaths(paths, out);
  out.line('');
  renderFiles(files, out);
  out.line('');
  renderSettings(settings, out);
  out.note(faint('Change one: plug config set KEY VALUE, or plug config edit mcp|rules|registries.'));
}

export async function getSetting({ key }: { readonly key: string }, session: HubSession): Promise<void> {
  const { hub } = session;
  const wanted = knownKey(key);
  const setting = (await readSettings(session)).find((one) => one.key === wanted);
  session.out.document(setting);
  session.out.line(setting?.value ?? '');
}

export async function setSetting(
  { key, value }: { readonly key: string; readonly value: string },
  session: HubSession,
): Promise<void> {
  const { hub, out } = session;
  await hub.policy.setDefaults(changeFor(key, value));
  const setting = (await readSettings(session)).find((one) => one.key === key);
  out.document(setting);
  out.line(DONE, `${key}: ${setting?.value ?? value}. It holds from now on.`);
}

async function readSettings({ hub, env }: HubSession): Promise<readonly SettingView[]> {
  const [defaults, { file, exists }] = await Promise.all([hub.policy.defaults(), hub.policy.rules()]);
  const { readClientText } = await import('../../servers/clients/client-text.ts');
  const read = exists ? await readClientText(file) : undefined;
  return settingsFrom({ defaults, rulesText: read?.kind === 'ok' ? read.text : '', env });
}

const SCOPES: Readonly<Record<ConfigFileView['scope'], string>> = {
  env: 'PLUG_MCP_CONFIG',
  project: 'this folder',
  user: 'yours',
};

function renderFiles(files: readonly ConfigFileView[], out: Output): void {
  out.line(faint('Files that name servers, the strongest first; the database comes last'));
  const rows = files.map((file): readonly Piece[] => [
    { text: SYMBOLS[file.outcome].symbol, style: SYMBOLS[file.outcome].style },
    shortHome(file.path),
    faint(SCOPES[file.scope]),
    outcomeOf(file),
  ]);
  const columns = ['', flexible('FILE'), 'WHOSE', flexible('HOLDS')];
  printTable(out, columns, rows);
}

const SYMBOLS = {
  ok: { symbol: '✔', style: 'good' },
  missing: { symbol: '–', style: 'faint' },
  unreadable: { symbol: '✖', style: 'bad' },
  malformed: { symbol: '✖', style: 'bad' },
} as const;

function outcomeOf({ outcome, servers, line, column, reason = '' }: ConfigFileView): string {
  if (outcome === 'missing') return 'there is none';
  if (outcome === 'ok') return servers.length === 0 ? 'no servers' : servers.join(', ');
  return `${outcome}${line === undefined ? '' : ` at ${line}:${column ?? 1}`}: ${reason}`;
}

function renderSettings(settings: readonly SettingView[], out: Output): void {
  const rows = settings.map(({ key, value, origin, says, variable }): readonly Piece[] => [
    strong(key),
    value === null ? faint('–') : value,
    faint(origin === 'environment' ? (variable ?? origin) : origin),
    says,
  ]);
  const columns = ['SETTING', flexible('VALUE'), flexible('FROM'), flexible('FOR')];
  printTable(out, columns, rows);
}
