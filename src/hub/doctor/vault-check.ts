import { join } from 'node:path';
import { keyFilePath, readKeyFile } from '../../vault/key-file.ts';
import { MASTER_KEY_VARIABLE, readMasterKeyVariable } from '../../vault/key-variable.ts';
import type { MasterKey } from '../../vault/master-key.ts';
import type { DoctorRow } from '../hub.ts';
import type { Visit } from './patient.ts';
import { count, fail, failedBy, pass, warn } from './rows.ts';

/** Where the key is that opens the secrets, and whether it is there. The keyring is asked only live. */
export async function lookAtVault(visit: Visit): Promise<readonly DoctorRow[]> {
  const { core } = visit;
  const ring = await core.storage.vault.getKeyRing();
  if (!ring) return [pass('vault', 'No secret was ever kept.')];
  const { master } = ring;
  const problem = await keyProblem(visit, master);
  if (problem) return [problem];
  const { locked, warning } = await core.vault.status();
  const names = await core.vault.list(core.owner);
  const held = `${count(names.length, 'secret')}, key ${KEPT[master.kind]}`;
  if (locked) {
    const says = `${held}. The vault is locked until the passphrase is given.`;
    return [warn('vault', says, { cause: 'missing_input', owner: 'you', next: 'plug secrets unlock' })];
  }
  const name = names[0];
  if (visit.live && name !== undefined) {
    try {
      await core.vault.get(core.owner, name);
    } catch (error) {
      return [failedBy('vault', error)];
    }
  }
  return [pass('vault', `${held}.`, { details: warning === undefined ? [] : [warning] })];
}

const KEPT: Readonly<Record<MasterKey['kind'], string>> = {
  keyring: "in the system's keyring",
  passphrase: 'from your passphrase',
  environment: `in the variable ${MASTER_KEY_VARIABLE}`,
  file: 'in a file beside it',
};

/** A look at the key that changes nothing and asks nobody. */
async function keyProblem({ core }: Visit, master: MasterKey): Promise<DoctorRow | undefined> {
  const { env, paths } = core.options;
  const folder = join(paths.data, 'vault');
  try {
    if (master.kind === 'file' && !(await readKeyFile(folder, master.id))) {
      const file = keyFilePath(folder, master.id);
      const says = `The vault cannot be opened: its key ${file} is not there.`;
      return fail('vault', says, {
        cause: 'missing_input',
        owner: 'you',
        next: `Bring ${file} back from a backup.`,
      });
    }
    if (master.kind === 'environment' && !readMasterKeyVariable(env)) {
      const says = `The vault cannot be opened: the variable ${MASTER_KEY_VARIABLE} is not set.`;
      const next = `export ${MASTER_KEY_VARIABLE}=…, then plug hub restart`;
      return fail('vault', says, { cause: 'missing_input', owner: 'you', next });
    }
    return undefined;
  } catch (error) {
    const fix = { id: 'tighten-files', says: 'make our own files private' };
    return failedBy('vault', error, master.kind === 'file' ? { fix } : {});
  }
}
