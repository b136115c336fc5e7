import { toPlugError } from '../../base/errors.ts';
import { parseEntry } from '../../servers/config-entry.ts';
import { readConfigFile } from '../../servers/config-file.ts';
import { featuredAt } from '../../servers/featured.ts';
import { describeEndpoint, type Endpoint, fingerprintOf, type Source } from '../../servers/definition.ts';
import { checkConnect } from '../decisions/server-decisions.ts';
import type { DoctorRow } from '../hub.ts';
import { declinedHere } from '../remote-only.ts';
import { exposureIn } from '../shown-endpoint.ts';
import { blocked } from '../workspace.ts';
import type { CheckedServer } from './checked-server.ts';
import {
  BAD_CONFIG,
  count,
  DENIED,
  doctorLimits,
  fail,
  failedBy,
  MISSING_INPUT,
  pass,
  type Rows,
  UNTRUSTED,
  warn,
} from './rows.ts';
import { recordedAt } from './recorded.ts';
import { editServer } from '../../connections/causes/edit-server.ts';
import type { Remedy } from '../../base/remedy.ts';
import { isLockedVault } from '../../vault/locked.ts';
import { findPlaceholders, missingInput, type MissingValue } from '../../servers/placeholders.ts';

/** Not disabled, not waiting for trust, and not denied by a rule. */
export function takesPart(checked: CheckedServer): boolean {
  return blocked(checked.server) === undefined && deniedBy(checked) === undefined;
}

export async function lookAtConfig(checked: CheckedServer): Promise<Rows> {
  const { server, id, examination } = checked;
  const { definition, untrusted } = server;
  const from = await placeOf(checked);
  const shadowed = server.shadowed.map(
    ({ file, kind }) => `also defined in ${file ?? `Plugboard (${kind})`}, which has lower priority`,
  );
  const details = [...shadowed, ...(await alsoIn(checked))].slice(0, doctorLimits.detailsShown);
  if (untrusted) {
    const what = untrusted.changed ? 'changed since you trusted it' : 'is new in this project';
    const more = { ...UNTRUSTED, details, remedy: { do: 'trust', server: id } } as const;
    return warn('config', `${from}: the entry ${what}, so it stays off until you trust it.`, more);
  }
  if (!definition.enabled) {
    return pass('config', `${from}: disabled by you.`, { details, remedy: { do: 'enable', server: id } });
  }
  const declined = declinedHere(examination.core, definition);
  if (declined !== undefined) return fail('config', declined, { ...DENIED, details });
  const denied = deniedBy(checked);
  return [
    denied === undefined
      ? pass('config', `${from}.`, { details })
      : warn('config', denied, { ...DENIED, details, remedy: { do: 'show', what: 'rules' } }),
    ...twin(checked),
    ...exposed(checked),
    ...waiting(checked),
  ];
}

async function placeOf({ server: { definition }, id }: CheckedServer): Promise<string> {
  const { source } = definition;
  if (source.kind !== 'file' || source.file === undefined) return ORIGINS[source.kind](source);
  const file = await readConfigFile(source.file);
  if (file.kind !== 'ok') return source.file;
  const keys = file.entries.map(({ key }) => key);
  const entry = file.entries.find(({ key, value }) => {
    const parsed = parseEntry(key, value, { source, keys });
    return (parsed.kind === 'ok' ? parsed.definition.id : parsed.id) === id;
  });
  return entry?.line === undefined ? source.file : `${source.file}:${entry.line}`;
}

const ORIGINS: Readonly<Record<Source['kind'], (source: Source) => string>> = {
  official: ({ name }) => `Added from the official registry${name === undefined ? '' : ` as ${name}`}`,
  smithery: ({ name }) => `Added from Smithery${name === undefined ? '' : ` as ${name}`}`,
  featured: ({ name }) => `Added from the featured servers${name === undefined ? '' : ` as ${name}`}`,
  manual: () => 'Added by you',
  import: ({ file }) => `Imported${file === undefined ? '' : ` from ${file}`}`,
  file: () => 'In a config file',
};

/** The same server in another client's file: editing that one changes nothing here. */
async function alsoIn({ examination, server, id }: CheckedServer): Promise<readonly string[]> {
  const { definition } = server;
  const { found } = await examination.clients();
  const ours = new Set(examination.workspace.files.map(({ path }) => path));
  const own = fingerprintOf(definition);
  return found
    .filter(({ file }) => !ours.has(file) && file !== definition.source.file)
    .filter(({ definition: theirs }) => theirs.id === id || fingerprintOf(theirs) === own)
    .map(({ file, line, client }) => {
      return `also in ${file}${line === undefined ? '' : `:${line}`} (${client}), which Plugboard does not read`;
    });
}

function deniedBy({ examination, pooled }: CheckedServer): string | undefined {
  try {
    checkConnect(examination.core, pooled);
    return undefined;
  } catch (error) {
    return toPlugError(error).message;
  }
}

/** Two names for one server double its tools; the first in the alphabet counts as the real one. */
function twin({ examination, pooled, id }: CheckedServer): readonly DoctorRow[] {
  const { servers } = examination.workspace;
  const others = servers.filter((other) => other.definition.id < id && !blocked(other));
  const first = others.find(
    (other) => examination.workspace.pooled(other).fingerprint === pooled.fingerprint,
  );
  if (!first) return [];
  const says = `It is the same server as ${first.definition.id}, so every tool exists twice.`;
  const remedy = { do: 'disable', server: id } as const;
  return [warn('config', says, { cause: 'already_exists', owner: 'you', remedy })];
}

function exposed({ server: { definition }, id }: CheckedServer): readonly DoctorRow[] {
  const says = exposureIn(id, definition.endpoint);
  return says === undefined ? [] : [warn('config', says, BAD_CONFIG)];
}

function waiting({ server, id }: CheckedServer): readonly DoctorRow[] {
  if (!server.waiting) return [];
  const says = `${server.waiting.untrusted.file} has an entry with this name that needs your trust.`;
  return [warn('config', says, { ...UNTRUSTED, remedy: { do: 'trust', server: id } })];
}

export async function lookAtVariables(checked: CheckedServer): Promise<Rows> {
  const { examination } = checked;
  const resolved = await checked.resolved();
  if (resolved.kind === 'wrong') {
    const { error } = resolved;
    if (isLockedVault(error)) return failedBy('variables', error);
    const { id, server } = checked;
    const edit = editServer({ server: id, file: server.definition.source.file });
    return failedBy('variables', error, { remedy: error.remedy ?? edit });
  }
  if (resolved.kind === 'missing') return missing(checked, resolved.missing);
  const { secrets, commands } = resolved;
  const { locked } = await examination.core.vault.status();
  if (locked && secrets.length > 0) {
    const says = `It needs ${secrets.join(', ')} from the vault, which is locked.`;
    return fail('variables', says, { ...MISSING_INPUT, remedy: { do: 'unlock-vault' } });
  }
  const recorded = recordedAt(checked, 'variables');
  if (recorded) return recorded;
  const unset = unsetInput(resolved.endpoint, checked);
  if (unset) return unset;
  const used = placeholdersIn(checked);
  if (used === 0) return pass('variables', 'No variables needed.');
  const details = [
    ...secrets.map((name) => `${name} is in the vault`),
    ...commands.map(() => 'a password manager provides a value when it starts'),
  ];
  return pass('variables', `${count(used, 'placeholder')}, each with a value.`, { details });
}

/** What a known package needs is known before it is started. */
function unsetInput(endpoint: Endpoint, { id, server }: CheckedServer): DoctorRow | undefined {
  if (endpoint.kind !== 'stdio') return undefined;
  const known = featuredAt(endpoint);
  const first = known?.package?.inputs.find((input) => 'env' in input && !endpoint.env[input.env]);
  if (!known || !first || !('env' in first)) return undefined;
  const says = `${known.title} needs ${first.env}, which isn't set.`;
  const edit = editServer({ server: id, file: server.definition.source.file }, `env.${first.env}`);
  return warn('variables', says, { ...MISSING_INPUT, remedy: edit });
}

function missing({ id }: CheckedServer, values: readonly MissingValue[]): DoctorRow {
  const names = values.map(({ placeholder, where }) => `${placeholder} in ${where}`).join(', ');
  const [first] = values;
  const details = values.map(({ placeholder, where, reason }) => `${placeholder} in ${where}: ${reason}`);
  return fail('variables', `There is no value for ${names}.`, {
    ...MISSING_INPUT,
    remedy: (first && remedyFor(id, first)) ?? missingInput(id, values).remedy,
    details,
  });
}

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
