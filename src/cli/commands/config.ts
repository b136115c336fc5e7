import { mkdir, mkdtemp, readFile, realpath, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { hasCode, messageOf, type PlugError } from '../../base/errors.ts';
import { systemIds } from '../../base/ids.ts';
import { isObject } from '../../base/json.ts';
import { limits } from '../../base/limits.ts';
import { writePrivateFile } from '../../base/private-files.ts';
import type { ConfigFileView } from '../../hub/hub.ts';
import { ownPaths, renderPaths, type OwnFile } from '../config/own-files.ts';
import { changeFor, knownKey, settingsFrom, type SettingView } from '../config/settings.ts';
import { exitCodes, type ExitCode } from '../exit-codes.ts';
import { usage, userError } from '../failures.ts';
import { DONE, FAILED, faint, strong, type Output, type Piece } from '../output.ts';
import { shortHome } from '../render/path.ts';
import { flexible, printTable } from '../render/table.ts';
import { askYesNo, type HubSession, type Session } from '../session.ts';

export async function listConfig(session: HubSession): Promise<void> {
  const { hub, out } = session;
  const { files: own, ...paths } = ownPaths(session);
  const [settings, { files }] = await Promise.all([readSettings(session), hub.servers.list()]);
  if (out.document({ paths, own, files, settings })) return;
  renderPaths(paths, out);
  out.line('');
  renderFiles(files, out);
  out.line('');
  renderSettings(settings, out);
  out.note(faint('Change one: plug config set KEY VALUE, or plug config edit mcp|rules|registries.'));
}

export async function getSetting({ key }: { readonly key: string }, session: HubSession): Promise<void> {
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
  out.line(DONE, `${key} is now ${setting?.value ?? value}.`);
}

async function readSettings({ hub, env }: HubSession): Promise<readonly SettingView[]> {
  const [defaults, { file, exists }] = await Promise.all([hub.policy.defaults(), hub.policy.rules()]);
  const { readClientText } = await import('../../servers/clients/client-text.ts');
  const read = exists ? await readClientText(file) : undefined;
  return settingsFrom(defaults, read?.kind === 'ok' ? read.text : '', env);
}

const SCOPES: Readonly<Record<ConfigFileView['scope'], string>> = {
  env: 'PLUG_MCP_CONFIG',
  project: 'this folder',
  user: 'yours',
};

function renderFiles(files: readonly ConfigFileView[], out: Output): void {
  out.line(faint('Config files with servers, highest priority first; the database comes last'));
  const rows = files.map((file): readonly Piece[] => [
    SYMBOLS[file.outcome],
    shortHome(file.path),
    faint(SCOPES[file.scope]),
    outcomeOf(file),
  ]);
  const columns = ['', flexible('FILE'), 'WHOSE', flexible('HOLDS')];
  printTable(out, columns, rows);
}

const SYMBOLS: Readonly<Record<ConfigFileView['outcome'], Piece>> = {
  ok: { text: '✔', style: 'good' },
  missing: faint('–'),
  unreadable: { text: '✖', style: 'bad' },
  malformed: { text: '✖', style: 'bad' },
};

function outcomeOf({ outcome, servers, line, column, reason = '' }: ConfigFileView): string {
  if (outcome === 'missing') return 'not found';
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

/** The editor works on a copy, which replaces the file only if it can be read. */
export async function editConfig({ file }: { readonly file: OwnFile }, session: Session): Promise<ExitCode> {
  const { out, env, cwd } = session;
  const editor = env['VISUAL'] || env['EDITOR'];
  const path = ownPaths(session).files[file];
  if (!editor)
    throw usage('Neither VISUAL nor EDITOR names an editor.', `EDITOR=nano plug config edit ${file}`);
  const before = await fileText(path);
  const folder = await mkdtemp(join(tmpdir(), 'plug-edit-'));
  const draft = join(folder, basename(path));
  const template = before ?? TEMPLATES[file];
  await writeFile(draft, template, { mode: 0o600 });
  const { openEditor } = await import('../../daemon/at-terminal.ts');
  for (;;) {
    const ended = await out.aside(() => openEditor(draft, { editor, env, cwd }));
    if (!ended) throw kept('The editor exited with an error.', path, draft);
    const after = (await fileText(draft)) ?? '';
    if (after === template) {
      await rm(folder, { recursive: true });
      return report(path, false, session);
    }
    const mistake = await mistakeIn(file, after);
    if (mistake === undefined) {
      if ((await fileText(path)) !== before)
        throw kept(`${shortHome(path)} was changed by another program meanwhile.`, path, draft);
      await replace(path, after);
      await rm(folder, { recursive: true });
      return report(path, true, session);
    }
    const again = session.terminal.interactive && !out.json;
    if (again) out.note(FAILED, mistake);
    // Said before the question: after Ctrl-C nothing more is printed.
    if (again) out.note(faint(`  What you wrote is in ${draft}`));
    if (!again || !(await askYesNo(session, 'Edit it again?', 'yes'))) throw kept(mistake, path, draft);
  }
}

function report(path: string, changed: boolean, { out }: Session): ExitCode {
  out.document({ file: path, changed });
  if (changed) out.line(DONE, `${shortHome(path)} is saved and applied.`);
  else out.line(`${shortHome(path)} is unchanged.`);
  return exitCodes.ok;
}

const TEMPLATES: Readonly<Record<OwnFile, string>> = {
  mcp: '{\n  "mcpServers": {}\n}\n',
  rules: '{\n  "rules": []\n}\n',
  registries: '{}\n',
};

function kept(what: string, path: string, draft: string): PlugError {
  return userError('bad_config', `${what} ${shortHome(path)} is unchanged.`, {
    remedy: `What you wrote is in ${draft}`,
    details: { file: path, draft },
  });
}

async function fileText(path: string): Promise<string | undefined> {
  try {
    if ((await stat(path)).size > limits.configBytesMax) throw new Error('it is too large');
    return await readFile(path, 'utf8');
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined;
    throw userError('bad_config', `${path} cannot be read: ${messageOf(error)}.`, { cause: error });
  }
}

async function replace(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const real = await realpath(path).catch(() => path);
  await writePrivateFile(real, text, systemIds);
}

async function mistakeIn(file: OwnFile, text: string): Promise<string | undefined> {
  switch (file) {
    case 'mcp': {
      const { parseConfigText } = await import('../../servers/config-text.ts');
      const parsed = parseConfigText(text);
      return parsed.kind === 'ok'
        ? undefined
        : `Line ${parsed.line}, column ${parsed.column}: ${parsed.reason}.`;
    }
    case 'rules': {
      const { parseRules } = await import('../../policy/rules/parse.ts');
      const parsed = await parseRules(text);
      const [first] = parsed.kind === 'ok' ? [] : parsed.problems;
      return first && `Line ${first.line}, column ${first.column}: ${first.message}`;
    }
    case 'registries':
    default:
      return mistakeInJson(text);
  }
}

function mistakeInJson(text: string): string | undefined {
  try {
    return isObject(JSON.parse(text)) ? undefined : 'It must hold one object: registries by their names.';
  } catch (error) {
    return `This is not JSON: ${messageOf(error)}.`;
  }
}
