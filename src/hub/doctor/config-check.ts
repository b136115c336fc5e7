import { toPlugError } from '../../base/errors.ts';
import { parseEntry } from '../../servers/config-entry.ts';
import { readConfigFile } from '../../servers/config-file.ts';
import { fingerprintOf, type Source } from '../../servers/definition.ts';
import { checkConnect } from '../deciding/server-decisions.ts';
import type { DoctorRow } from '../hub.ts';
import { declinedHere } from '../remote-only.ts';
import { exposureIn } from '../shown-endpoint.ts';
import { blocked } from '../workspace.ts';
import { doctorLimits } from './limits.ts';
import type { Patient } from './patient.ts';
import { fail, pass, warn } from './rows.ts';

/** Whether anything is expected of the server: it is not off, not waiting for trust, and no rule denies it. */
export function takesPart(patient: Patient): boolean {
  return blocked(patient.server) === undefined && deniedBy(patient) === undefined;
}

/** Where the definition comes from, whether it counts, and what is wrong with it as it stands. */
export async function lookAtConfig(patient: Patient): Promise<readonly DoctorRow[]> {
  const { server, id, visit } = patient;
  const { definition, untrusted } = server;
  const from = await placeOf(patient);
  const details = [...server.shadowed.map(shadowed), ...(await alsoIn(patient))].slice(
    0,
    doctorLimits.detailsShown,
  );
  if (untrusted) {
    const what = untrusted.changed ? 'changed since you trusted it' : 'is new in this project';
    const more = { details, cause: 'untrusted', owner: 'you', next: `plug trust ${id}` } as const;
    return [warn('config', `${from}: the entry ${what}, so it stays off until you trust it.`, more)];
  }
  if (!definition.enabled) {
    return [pass('config', `${from}: disabled by you.`, { details, next: `plug enable ${id}` })];
  }
  const declined = declinedHere(visit.core, definition);
  if (declined !== undefined) return [fail('config', declined, { details, cause: 'denied', owner: 'you' })];
  const denied = deniedBy(patient);
  return [
    denied === undefined
      ? pass('config', `${from}.`, { details })
      : warn('config', denied, { details, cause: 'denied', owner: 'you', next: 'plug rules' }),
    ...twin(patient),
    ...exposed(patient),
    ...waiting(patient),
  ];
}

/** The file and line, or whose word it is. */
async function placeOf({ server: { definition }, id }: Patient): Promise<string> {
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
  manual: () => 'Added by you with plug add',
  import: ({ file }) => `Imported${file === undefined ? '' : ` from ${file}`}`,
  file: () => 'In a config file',
};

function shadowed({ file, kind }: Source): string {
  return `also defined in ${file ?? `Plugboard (${kind})`}, which counts less`;
}

/** The same server in a file that is another client's: whoever edits that one changes nothing here. */
async function alsoIn({ visit, server: { definition }, id }: Patient): Promise<readonly string[]> {
  const { found } = await visit.clients();
  const ours = new Set(visit.workspace.files.map(({ path }) => path));
  const own = fingerprintOf(definition);
  return found
    .filter(({ file }) => !ours.has(file) && file !== definition.source.file)
    .filter(({ definition: theirs }) => theirs.id === id || fingerprintOf(theirs) === own)
    .map(({ file, line, client }) => {
      return `also in ${file}${line === undefined ? '' : `:${line}`} (${client}), which Plugboard does not read`;
    });
}

function deniedBy({ visit, pooled }: Patient): string | undefined {
  try {
    checkConnect(visit.core, pooled);
    return undefined;
  } catch (error) {
    return toPlugError(error).message;
  }
}

/** Two names for one thing cost twice the tools; the first in the alphabet is taken as the real one. */
function twin({ visit, pooled, id }: Patient): readonly DoctorRow[] {
  const other = visit.workspace.servers.find((other) => {
    const { id: name } = other.definition;
    return name < id && !blocked(other) && visit.workspace.pooled(other).fingerprint === pooled.fingerprint;
  });
  const first = other?.definition.id;
  if (first === undefined) return [];
  const says = `It runs or contacts exactly the same as ${first}: every tool is there twice.`;
  return [warn('config', says, { cause: 'already_exists', owner: 'you', next: `plug disable ${id}` })];
}

function exposed({ server: { definition }, id }: Patient): readonly DoctorRow[] {
  const says = exposureIn(id, definition.endpoint);
  return says === undefined ? [] : [warn('config', says, { cause: 'bad_config', owner: 'you' })];
}

function waiting({ server, id }: Patient): readonly DoctorRow[] {
  if (!server.waiting) return [];
  const says = `${server.waiting.untrusted.file} has an entry of this name that waits for your trust.`;
  return [warn('config', says, { cause: 'untrusted', owner: 'you', next: `plug trust ${id}` })];
}
