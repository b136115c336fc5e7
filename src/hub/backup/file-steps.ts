import { join } from 'node:path';
import { PlugError } from '../../base/errors.ts';
import { writePrivateFile } from '../../base/private-files.ts';
import { parseRules } from '../../policy/rules/parse.ts';
import { replaceFile } from '../../policy/rules/write-file.ts';
import { readClientText, type ClientText } from '../../servers/clients/client-text.ts';
import type { Core } from '../core.ts';
import type { CarriedFile, Contents } from './contents.ts';
import type { Step } from './step.ts';

/**
 * Files of the user's own config folder. One that is here stays, unless it is to be replaced; then
 * a copy of it is kept beside it.
 */
export async function fileSteps(core: Core, { files }: Contents): Promise<readonly Step[]> {
  return Promise.all(files.map((file) => fileStep(core, file)));
}

async function fileStep({ options: { paths }, ids }: Core, { name, text }: CarriedFile): Promise<Step> {
  const isRules = name === 'rules.json' || name === 'rules.jsonc';
  const { path, read } = await placeOf(paths.config, name);
  const problem = isRules ? await problemOf(text) : undefined;
  return {
    thing: { kind: isRules ? 'rules' : 'file', name },
    here: read.kind === 'missing' ? 'absent' : read.kind === 'ok' && read.text === text ? 'same' : 'taken',
    ...(problem === undefined ? {} : { impossible: problem }),
    apply: async () => {
      if (read.kind === 'unreadable') throw unreadable(path, read.reason);
      if (read.kind === 'ok') await writePrivateFile(`${path}.before-restore`, read.text, ids);
      await replaceFile(path, text, ids);
    },
  };
}

/** The rules have two names, of which one may be in use here. */
async function placeOf(
  folder: string,
  name: CarriedFile['name'],
): Promise<{ readonly path: string; readonly read: ClientText }> {
  const names = name === 'rules.json' || name === 'rules.jsonc' ? ['rules.json', 'rules.jsonc'] : [name];
  for (const one of names) {
    const path = join(folder, one);
    const read = await readClientText(path);
    if (read.kind !== 'missing') return { path, read };
  }
  return { path: join(folder, name), read: { kind: 'missing' } };
}

async function problemOf(text: string): Promise<string | undefined> {
  const parsed = await parseRules(text);
  if (parsed.kind !== 'broken') return undefined;
  const [problem] = parsed.problems;
  return `There is a mistake in line ${problem?.line ?? 1}: ${problem?.message ?? 'it cannot be read'}`;
}

function unreadable(path: string, reason: string): PlugError {
  return new PlugError('bad_config', `${path} is here and cannot be read: ${reason}.`, {
    owner: 'you',
    next: `Look at what it is: ls -l ${path}`,
  });
}
