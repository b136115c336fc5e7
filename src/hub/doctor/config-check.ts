import { toPlugError } from '../../base/errors.ts';
import { parseEntry } from '../../servers/config-entry.ts';
import { readConfigFile } from '../../servers/config-file.ts';
import { fingerprintOf, type Source } from '../../servers/definition.ts';
import { checkConnect } from '../decisions/server-decisions.ts';
import type { DoctorRow } from '../hub.ts';
import { declinedHere } from '../remote-only.ts';
import { exposureIn } from '../shown-endpoint.ts';
import { blocked } from '../workspace.ts';
import { doctorLimits } from './limits.ts';
import type { CheckedServer } from './checked-server.ts';
import { fail, pass, warn } from './rows.ts';

/** Whether anything is expected of the server: it is not off, not waiting for trust, and no rule denies it. */
export function takesPart(checked: CheckedServer): boolean {
  return blocked(checked.server) === undefined && deniedBy(checked) === undefined;
}

/** Where the definition comes from, whether it counts, and what is wrong with it as it stands. */
export async function lookAtConfig(checked: CheckedServer): Promise<readonly DoctorRow[]> {
  const { server, id, examination } = checked;
  const { definition, untrusted } = server;
  const from = await placeOf(checked);
  const details = [...server.shadowed.map(shadowed), ...(await alsoIn(checked))].slice(
    0,
    doctorLimits.detailsShown,
  );
  if (untrusted) {
    const what = untrusted.changed ? 'changed since you trusted it' : 'is new in this project';
    const more = { details, cause: 'untrusted', owner: 'you', remedy: { do: 'trust', server: id } } as const;
    return [warn('config', `${from}: the entry ${what}, so it stays off until you trust it.`, more)];
  }
  if (!definition.enabled) {
    return [pass('config', `${from}: disabled by you.`, { details, remedy: { do: 'enable', server: id } })];
  }
  const declined = declinedHere(examination.core, definition);
  if (declined !== undefined) return [fail('config', declined, { details, cause: 'denied', owner: 'you' })];
  const denied = deniedBy(checked);
  return [
    denied === undefined
      ? pass('config', `${from}.`, { details })
      : warn('config', denied, {
          details,
          cause: 'denied',
          owner: 'you',
          remedy: { do: 'show', what: 'rules' },
        }),
    ...twin(checked),
    ...exposed(checked),
    ...waiting(checked),
  ];
}

/** The file and line, or whose word it is. */
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
  manual: () => 'Added by you with plug add',
  import: ({ file }) => `Imported${file === undefined ? '' : ` from ${file}`}`,
  file: () => 'In a config file',
};

function shadowed({ file, kind }: Source): string {
  return `also defined in ${file ?? `Plugboard (${kind})`}, which counts less`;
}

/** The same server in a file that is another client's: whoever edits that one changes nothing here. */
async function alsoIn({
  examination,
  server: { definition },
  id,
}: CheckedServer): Promise<readonly string[]> {
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

/** Two names for one thing cost twice the tools; the first in the alphabet is taken as the real one. */
function twin({ examination, pooled, id }: CheckedServer): readonly DoctorRow[] {
  const other = examination.workspace.servers.find((other) => {
    const { id: name } = other.definition;
    return (
      name < id && !blocked(other) && examination.workspace.pooled(other).fingerprint === pooled.fingerprint
    );
  });
  const first = other?.definition.id;
  if (first === undefined) return [];
  const says = `It runs or contacts exactly the same as ${first}: every tool is there twice.`;
  return [
    warn('config', says, { cause: 'already_exists', owner: 'you', remedy: { do: 'disable', server: id } }),
  ];
}

function exposed({ server: { definition }, id }: CheckedServer): readonly DoctorRow[] {
  const says = exposureIn(id, definition.endpoint);
  return says === undefined ? [] : [warn('config', says, { cause: 'bad_config', owner: 'you' })];
}

function waiting({ server, id }: CheckedServer): readonly DoctorRow[] {
  if (!server.waiting) return [];
  const says = `${server.waiting.untrusted.file} has an entry of this name that waits for your trust.`;
  return [warn('config', says, { cause: 'untrusted', owner: 'you', remedy: { do: 'trust', server: id } })];
}
