import { basename } from 'node:path';
import { PlugError } from '../../base/errors.ts';
import { sizeInWords } from '../../base/size-in-words.ts';
import type { InstalledPackage } from '../../connections/packages/record.ts';
import type { DoctorRow } from '../hub.ts';
import type { DoctorScope, Examination } from './checked-server.ts';
import { count, doctorLimits, fail, pass, type Rows } from './rows.ts';

/** The room that installed packages take, and whether each is still what was installed. */
export async function lookAtPackages({ core, live }: Examination): Promise<Rows> {
  const store = await core.packaged.store();
  const all = (await store.list()).filter(({ refused }) => refused === undefined);
  if (all.length === 0) return pass('packages', 'No packages installed.');
  const broken: DoctorRow[] = [];
  for (const installed of all) {
    const changed = await store.changed(installed, { thorough: live });
    if (changed.length > 0) broken.push(changedRow(installed, changed));
  }
  const bytes = all.reduce((sum, one) => sum + one.bytes, 0);
  const says = `${count(all.length, 'package')} installed, ${sizeInWords(bytes)}`;
  const details = all
    .toSorted((a, b) => b.bytes - a.bytes)
    .slice(0, doctorLimits.detailsShown)
    .map((one) => `${one.name} ${one.version}: ${sizeInWords(one.bytes)}`);
  return broken.length > 0 ? broken : pass('packages', `${says}, unchanged.`, { details });
}

function changedRow(installed: InstalledPackage, changed: readonly string[]): DoctorRow {
  const { name, version, folder } = installed;
  const says = `${count(changed.length, 'file')} of ${name} ${version} changed after it was installed.`;
  return fail('packages', says, {
    cause: 'denied',
    owner: 'you',
    remedy: { do: 'check', fix: true },
    details: changed.slice(0, doctorLimits.detailsShown),
    fix: { id: `install-again:${basename(folder)}`, says: `install ${name} ${version} again` },
  });
}

/** The same version with the same checksum, in place of what is there. */
export async function installAgain({ core }: DoctorScope, place: string): Promise<string> {
  const store = await core.packaged.store();
  const installed = (await store.list()).find(({ folder }) => basename(folder) === place);
  if (!installed) throw new PlugError('not_found', 'This package is not installed.', { owner: 'you' });
  const { registry, name, version, integrity, scripts } = installed;
  const wanted = { registry, name, version, integrity };
  await store.install({ wanted, server: name, scripts: scripts !== undefined, again: true });
  return `${name} ${version} is installed again.`;
}
