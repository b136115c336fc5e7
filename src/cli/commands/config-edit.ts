import { mkdir, mkdtemp, readFile, realpath, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { hasCode, messageOf, PlugError } from '../../base/errors.ts';
import { systemIds } from '../../base/ids.ts';
import { limits } from '../../base/limits.ts';
import { writePrivateFile } from '../../base/private-files.ts';
import { mistakeIn } from '../config/check-file.ts';
import { ownPaths, type OwnFile } from '../config/own-files.ts';
import { exitCodes, type ExitCode } from '../exit-codes.ts';
import { shortHome } from '../render/path.ts';
import { askYesNo, type Session } from '../session.ts';

/**
 * `plug config edit`: the editor works on a copy, and only what can be read takes the file's place.
 * So a running hub never sees half of a change, and the old text stays when the new one is broken.
 */
export async function editConfig({ file }: { readonly file: OwnFile }, session: Session): Promise<ExitCode> {
  const { out, env, cwd } = session;
  const editor = env['VISUAL'] || env['EDITOR'];
  const path = ownPaths(session).files[file];
  if (!editor) {
    throw new PlugError('usage', 'Neither VISUAL nor EDITOR names an editor.', {
      owner: 'you',
      next: `EDITOR=nano plug config edit ${file}, or open ${path} yourself`,
    });
  }
  const before = await textOf(path);
  const folder = await mkdtemp(join(tmpdir(), 'plug-edit-'));
  const draft = join(folder, basename(path));
  const template = before ?? TEMPLATES[file];
  await writeFile(draft, template, { mode: 0o600 });
  const { openEditor } = await import('../../daemon/at-terminal.ts');
  for (;;) {
    const ended = await out.aside(() => openEditor(draft, { editor, env, cwd }));
    if (!ended) throw kept('The editor did not end well.', path, draft);
    const after = (await textOf(draft)) ?? '';
    if (after === template) {
      await rm(folder, { recursive: true });
      return report(path, false, session);
    }
    const mistake = await mistakeIn(file, after);
    if (mistake === undefined) {
      if ((await textOf(path)) !== before)
        throw kept(`${shortHome(path)} was changed by somebody else meanwhile.`, path, draft);
      await replace(path, after);
      await rm(folder, { recursive: true });
      return report(path, true, session);
    }
    const again = session.terminal.interactive && !out.json;
    if (again) out.note({ style: 'bad', text: '✖ ' }, mistake);
    if (!again || !(await askYesNo(session, 'Edit it again?', 'yes'))) throw kept(mistake, path, draft);
  }
}

function report(path: string, changed: boolean, { out }: Session): ExitCode {
  out.document({ file: path, changed });
  if (changed) out.line({ style: 'good', text: '✔ ' }, `${shortHome(path)} is saved, and holds at once.`);
  else out.line(`${shortHome(path)} is as it was.`);
  return exitCodes.ok;
}

const TEMPLATES: Readonly<Record<OwnFile, string>> = {
  mcp: '{\n  "mcpServers": {}\n}\n',
  rules: '{\n  "rules": []\n}\n',
  registries: '{}\n',
};

/** Nothing that was typed is lost: the draft stays where it is. */
function kept(what: string, path: string, draft: string): PlugError {
  return new PlugError('bad_config', `${what} ${shortHome(path)} is as it was.`, {
    owner: 'you',
    next: `What you wrote is in ${draft}`,
    details: { file: path, draft },
  });
}

async function textOf(path: string): Promise<string | undefined> {
  try {
    if ((await stat(path)).size > limits.configBytesMax) throw new Error('it is too large');
    return await readFile(path, 'utf8');
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined;
    throw new PlugError('bad_config', `${path} cannot be read: ${messageOf(error)}.`, {
      owner: 'you',
      cause: error,
    });
  }
}

/** In one step, and through a link: people keep such files elsewhere. */
async function replace(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const real = await realpath(path).catch(() => path);
  await writePrivateFile(real, text, systemIds);
}
