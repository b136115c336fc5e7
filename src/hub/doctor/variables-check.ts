import { editServer } from '../../connections/causes/edit-server.ts';
import type { Remedy } from '../../base/remedy.ts';
import { isLockedVault } from '../../vault/locked.ts';
import { describeEndpoint } from '../../servers/definition.ts';
import { findPlaceholders, missingInput, type MissingValue } from '../../servers/placeholders.ts';
import type { DoctorRow } from '../hub.ts';
import type { CheckedServer } from './checked-server.ts';
import { count, fail, failedBy, pass } from './rows.ts';
import { recordedAt } from './recorded.ts';

/** Every `${VAR}` and every secret, before a start is tried. */
export async function lookAtVariables(checked: CheckedServer): Promise<readonly DoctorRow[]> {
  const { examination } = checked;
  const resolved = await checked.resolved();
  if (resolved.kind === 'wrong') {
    if (isLockedVault(resolved.error)) return [failedBy('variables', resolved.error)];
    return [failedBy('variables', resolved.error, { remedy: resolved.error.remedy ?? editing(checked) })];
  }
  if (resolved.kind === 'missing') return [missing(checked, resolved.missing)];
  const { secrets, commands } = resolved;
  const { locked } = await examination.core.vault.status();
  if (locked && secrets.length > 0) {
    const says = `It needs ${secrets.join(', ')} from the vault, which is locked.`;
    const remedy = { do: 'unlock-vault' } as const;
    return [fail('variables', says, { cause: 'missing_input', owner: 'you', remedy })];
  }
  const recorded = recordedAt(checked, 'variables');
  if (recorded) return [recorded];
  const used = placeholdersIn(checked);
  if (used === 0) return [pass('variables', 'It needs none.')];
  const details = [
    ...secrets.map((name) => `${name} is in the vault`),
    ...commands.map(() => 'a password manager is asked when it starts'),
  ];
  return [pass('variables', `${count(used, 'placeholder')}, each with a value.`, { details })];
}

function missing({ id }: CheckedServer, values: readonly MissingValue[]): DoctorRow {
  const names = values.map(({ placeholder, where }) => `${placeholder} in ${where}`).join(', ');
  const { remedy } = missingInput(id, values);
  const first = values[0];
  const details = values.map(({ placeholder, where, reason }) => `${placeholder} in ${where}: ${reason}`);
  return fail('variables', `There is no value for ${names}.`, {
    cause: 'missing_input',
    owner: 'you',
    remedy: (first && remedyFor(id, first)) ?? remedy,
    details,
  });
}

/** Gives the value, where we know how. */
function remedyFor(id: string, { placeholder, kind, remedy }: MissingValue): Remedy | undefined {
  if (remedy !== undefined) return remedy;
  const [found] = findPlaceholders(placeholder);
  if (!found) return undefined;
  if (kind === 'vault') return { do: 'set-secret', name: found.name };
  if (kind === 'input') return { do: 'set-secret', name: `${id}/${found.name}` };
  if (kind === 'env')
    return { do: 'say', text: `Set ${found.name} where the hub is started, then restart the hub.` };
  return undefined;
}

function placeholdersIn({ pooled: { definition } }: CheckedServer): number {
  const { endpoint } = definition;
  const more = Object.values(endpoint.kind === 'stdio' ? endpoint.env : endpoint.headers);
  const cwd = endpoint.kind === 'stdio' ? (endpoint.cwd ?? '') : '';
  return [describeEndpoint(endpoint), cwd, ...more].flatMap(findPlaceholders).length;
}

function editing({ server: { definition }, id }: CheckedServer): Remedy {
  const { file } = definition.source;
  return editServer({ server: id, file });
}
