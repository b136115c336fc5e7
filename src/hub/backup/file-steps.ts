import { join } from 'node:path';
import { messageOf, PlugError } from '../../base/errors.ts';
import { writePrivateFile } from '../../base/private-files.ts';
import { Secret } from '../../base/secret.ts';
import { parseRules } from '../../policy/rules/parse.ts';
import { replaceFile } from '../../policy/rules/write-file.ts';
import { type ClientText, readClientText } from '../../servers/clients/client-text.ts';
import { checkSecretName } from '../../vault/names.ts';
import type { Core } from '../core.ts';
import type { CarriedFile, Contents, SealedContents } from './contents.ts';
import { hereOf, type Step } from './ledger.ts';

/** Secrets are sealed anew, under the key of this vault. */
export async function secretSteps(
  { vault, owner }: Core,
  secrets: SealedContents['secrets'],
): Promise<readonly Step[]> {
  if (secrets.length === 0) return [];
  // Before anything is done: with a locked vault none of it could be.
  await vault.checkUnlocked();
  return Promise.all(
    secrets.map(async ({ name, value }): Promise<Step> => {
      const impossible = nameProblem(name);
      const known = impossible === undefined ? await vault.get(owner, name) : undefined;
      return {
        thing: { kind: 'secret', name },
        here: hereOf(known, (one) => one.reveal() === value),
        impossible,
        apply: () => vault.set(owner, name, new Secret(value)),
      };
    }),
  );
}

function nameProblem(name: string): string | undefined {
  try {
    checkSecretName(name);
    return undefined;
  } catch (error) {
    return messageOf(error);
  }
}

/** A file that is replaced is kept as a copy beside it. */
export async function fileSteps(core: Core, { files }: Contents): Promise<readonly Step[]> {
  return Promise.all(files.map((file) => fileStep(core, file)));
}

async function fileStep({ options: { paths }, ids }: Core, { name, text }: CarriedFile): Promise<Step> {
  const isRules = name.startsWith('rules.');
  const { path, read } = await placeOf(paths.config, name);
  return {
    thing: { kind: isRules ? 'rules' : 'file', name },
    here: read.kind === 'missing' ? 'absent' : read.kind === 'ok' && read.text === text ? 'same' : 'taken',
    impossible: isRules ? await rulesProblem(text) : undefined,
    apply: async () => {
      if (read.kind === 'unreadable') {
        const why = `${path} is here and cannot be read: ${read.reason}.`;
        const remedy = `Check it: ls -l ${path}`;
        throw new PlugError('bad_config', why, { owner: 'you', remedy });
      }
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
  for (const one of name.startsWith('rules.') ? ['rules.json', 'rules.jsonc'] : [name]) {
    const path = join(folder, one);
    const read = await readClientText(path);
    if (read.kind !== 'missing') return { path, read };
  }
  return { path: join(folder, name), read: { kind: 'missing' } };
}

async function rulesProblem(text: string): Promise<string | undefined> {
  const parsed = await parseRules(text);
  if (parsed.kind !== 'broken') return undefined;
  const [problem] = parsed.problems;
  return `There is a mistake in line ${problem?.line ?? 1}: ${problem?.message ?? 'it cannot be read'}`;
}
