import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { editsBetween } from '../../base/edit-distance.ts';
import { exactShellWord } from '../../base/shell-words.ts';
import { readConfigFile } from '../../servers/config-file.ts';
import type { ConfigFileView, DoctorRow } from '../hub.ts';
import type { Examination } from './checked-server.ts';
import { BAD_CONFIG, count, doctorLimits, fail, pass, type Rows, warn } from './rows.ts';

/** Every config file that is read, with the outcome; then broken ones of other clients. */
export async function lookAtFiles(examination: Examination): Promise<Rows> {
  const rows = await Promise.all(examination.workspace.files.map(rowOf));
  const own = rows.length > 0 ? rows : [pass('files', 'No config files to check.')];
  return [...own, ...(await brokenElsewhere(examination))];
}

/** Not our files, but an import would miss their servers. */
async function brokenElsewhere(examination: Examination): Promise<readonly DoctorRow[]> {
  const { problems } = await examination.clients();
  return problems
    .filter(({ server }) => server === undefined)
    .slice(0, doctorLimits.detailsShown)
    .map(({ client, file, line, message }) => {
      const remedy = `Correct ${file}, then import it.`;
      return warn('files', `${at(file, line)}, of ${client}: ${message}`, { ...BAD_CONFIG, remedy });
    });
}

function at(file: string, line: number | undefined): string {
  return line === undefined ? file : `${file}:${line}`;
}

async function rowOf(known: ConfigFileView): Promise<DoctorRow> {
  const { path, scope } = known;
  const now = await readConfigFile(path);
  if (now.kind === 'malformed') {
    const says = `${path}, line ${now.line}, column ${now.column}: ${now.reason}`;
    const details = known.servers.length > 0 ? ['its last valid version still applies'] : [];
    const remedy = `Correct line ${now.line} of ${path} and save it.`;
    return fail('files', says, { ...BAD_CONFIG, remedy, details });
  }
  if (now.kind === 'unreadable') {
    const remedy = { do: 'run', line: `ls -l ${exactShellWord(path) ?? path}` } as const;
    return fail('files', `${path} cannot be read: ${now.reason}`, { ...BAD_CONFIG, remedy });
  }
  if (now.kind === 'missing') {
    if (scope !== 'env') return pass('files', `${path} doesn’t exist (optional).`);
    const remedy = 'Correct or unset PLUG_MCP_CONFIG, then restart the hub.';
    return fail('files', `PLUG_MCP_CONFIG names ${path}, which is not there.`, { ...BAD_CONFIG, remedy });
  }
  if (known.outcome !== 'ok' || now.entries.length !== known.servers.length) {
    const says = `${path} was changed, and the hub hasn’t reloaded it.`;
    const fix = { id: 'reload-config', says: 'read the config files again' };
    const remedy = { do: 'restart-hub' } as const;
    return warn('files', says, { cause: 'bad_config', owner: 'plugboard', remedy, fix });
  }
  const says = `${path}: ${count(now.entries.length, 'server')}.`;
  if (known.warnings.length === 0) return pass('files', says);
  const details = known.warnings.slice(0, doctorLimits.detailsShown);
  const remedy = `Look at ${path}.`;
  return warn('files', `${says} It has entries that Plugboard doesn’t understand.`, {
    ...BAD_CONFIG,
    remedy,
    details,
  });
}

export async function lookForNearMisses(examination: Examination): Promise<Rows> {
  const { nearMisses, files } = await examination.clients();
  const ours = await almostOurs(examination, new Set(files.map(({ path }) => path)));
  const others = nearMisses.filter(({ file }) => !ours.some((one) => one.file === file));
  const rows = [
    ...ours.map(({ file, wanted }) => {
      const says = `${file} looks like a config file, but Plugboard reads ${wanted}.`;
      const line = ['mv', ...[file, wanted].map((path) => exactShellWord(path) ?? path)].join(' ');
      return warn('near-miss', says, { ...BAD_CONFIG, remedy: { do: 'run', line } });
    }),
    ...others.map(({ file, line, servers, why }) => {
      const names = servers.slice(0, doctorLimits.detailsShown).join(', ');
      const details = servers.length > 0 ? [`it names ${names}`] : [];
      const more = { ...BAD_CONFIG, remedy: { do: 'import' }, details } as const;
      return warn('near-miss', `${at(file, line)} is ignored: ${why}`, more);
    }),
  ];
  return rows.length > 0 ? rows : pass('near-miss', 'No misnamed or misplaced config files.');
}

/** `mcp.json` with a slip in its name, or as another client calls it. */
function isAlmost(name: string): boolean {
  const plain = name.toLowerCase();
  if (plain === 'mcp.json' && name !== 'mcp.json') return true;
  if (/\.(?:bak|old|orig|save|swp|tmp)$|~$/.test(plain)) return false;
  return ALMOST.test(plain) || editsBetween(plain, 'mcp.json', 2) <= 2;
}

const ALMOST =
  /^\.?(?:(?:[a-z]+[-_.])*mcp|mcpservers?)(?:[-_. ]?(?:servers?|config|settings|desktop))*(?:\.(?:jsonc?|json5|ya?ml|toml|js))?(?:\.(?:txt|json))?$|^(?:claude_desktop_config|\.claude)\.json$/;

async function almostOurs(
  { workspace, core }: Examination,
  theirs: ReadonlySet<string>,
): Promise<readonly { readonly file: string; readonly wanted: string }[]> {
  const folders = [...new Set([core.options.paths.config, workspace.folder])];
  const found = await Promise.all(
    folders.map(async (folder) => {
      const names = await readdir(folder).catch((): string[] => []);
      return names
        .filter((name) => name !== 'mcp.json' && isAlmost(name))
        .map((name) => ({ file: join(folder, name), wanted: join(folder, 'mcp.json') }));
    }),
  );
  const read = new Set(workspace.files.map(({ path }) => path));
  const candidates = found.flat().filter(({ file }) => !theirs.has(file) && !read.has(file));
  const named = await Promise.all(candidates.map(({ file }) => namesServers(file)));
  return candidates.filter((_, index) => named[index]);
}

async function namesServers(file: string): Promise<boolean> {
  try {
    if ((await stat(file)).size > doctorLimits.nearMissBytesMax) return false;
    const text = await readFile(file, 'utf8');
    return (
      /["']?\b(?:mcpServers|mcp_servers|servers)\b["']?\s*[:=\]]/.test(text) &&
      /\b(?:command|url)\b/.test(text)
    );
  } catch {
    return false; // a folder, or unreadable: then it is no config file of the user's
  }
}
