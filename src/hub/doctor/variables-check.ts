import { isLockedVault } from '../../vault/locked.ts';
import { describeEndpoint } from '../../servers/definition.ts';
import { findPlaceholders, missingInput, type MissingValue } from '../../servers/placeholders.ts';
import type { DoctorRow } from '../hub.ts';
import type { Patient } from './patient.ts';
import { count, fail, failedBy, pass } from './rows.ts';
import { recordedAt } from './recorded.ts';

/** Every `${VAR}` and every secret, before a start is tried. */
export async function lookAtVariables(patient: Patient): Promise<readonly DoctorRow[]> {
  const { visit } = patient;
  const resolved = await patient.resolved();
  if (resolved.kind === 'wrong') {
    if (isLockedVault(resolved.error)) return [failedBy('variables', resolved.error)];
    return [failedBy('variables', resolved.error, { next: resolved.error.next ?? editing(patient) })];
  }
  if (resolved.kind === 'missing') return [missing(patient, resolved.missing)];
  const { secrets, commands } = resolved;
  const { locked } = await visit.core.vault.status();
  if (locked && secrets.length > 0) {
    const says = `It needs ${secrets.join(', ')} from the vault, which is locked.`;
    const next = 'plug secrets unlock';
    return [fail('variables', says, { cause: 'missing_input', owner: 'you', next })];
  }
  const recorded = recordedAt(patient, 'variables');
  if (recorded) return [recorded];
  const used = placeholdersIn(patient);
  if (used === 0) return [pass('variables', 'It needs none.')];
  const details = [
    ...secrets.map((name) => `${name} is in the vault`),
    ...commands.map(() => 'a password manager is asked when it starts'),
  ];
  return [pass('variables', `${count(used, 'placeholder')}, each with a value.`, { details })];
}

function missing({ id }: Patient, values: readonly MissingValue[]): DoctorRow {
  const names = values.map(({ placeholder, where }) => `${placeholder} in ${where}`).join(', ');
  const { next } = missingInput(id, values);
  const first = values[0];
  const details = values.map(({ placeholder, where, reason }) => `${placeholder} in ${where}: ${reason}`);
  return fail('variables', `There is no value for ${names}.`, {
    cause: 'missing_input',
    owner: 'you',
    next: (first && commandFor(id, first)) ?? next,
    details,
  });
}

/** The command that gives the value, where there is one. */
function commandFor(id: string, { placeholder, kind }: MissingValue): string | undefined {
  const [found] = findPlaceholders(placeholder);
  if (!found) return undefined;
  if (kind === 'vault') return `plug secrets set ${found.name}`;
  if (kind === 'input') return `plug secrets set ${id}/${found.name}`;
  if (kind === 'env') return `export ${found.name}=…, then plug hub restart`;
  return undefined;
}

function placeholdersIn({ pooled: { definition } }: Patient): number {
  const { endpoint } = definition;
  const more = Object.values(endpoint.kind === 'stdio' ? endpoint.env : endpoint.headers);
  const cwd = endpoint.kind === 'stdio' ? (endpoint.cwd ?? '') : '';
  return [describeEndpoint(endpoint), cwd, ...more].flatMap(findPlaceholders).length;
}

function editing({ server: { definition }, id }: Patient): string {
  const { file } = definition.source;
  return file === undefined
    ? `plug remove ${id}, then add it again as it should be`
    : `Correct it in ${file}.`;
}
