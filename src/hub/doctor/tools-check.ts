import type { WithheldTool } from '../../catalog/tool.ts';
import { grantsOf } from '../deciding/grants-api.ts';
import type { DoctorRow } from '../hub.ts';
import { doctorLimits } from './limits.ts';
import type { Patient } from './patient.ts';
import { beyondFailure, neverStarted } from './recorded.ts';
import { count, fail, pass, warn } from './rows.ts';

/** What of its tools is offered, and why the rest is not. */
export function lookAtTools(patient: Patient): Promise<readonly DoctorRow[]> {
  const { manifest, id } = patient;
  const beyond = beyondFailure(patient, 'tools');
  if (!manifest) return Promise.resolve([beyond ?? neverStarted(patient, 'tools')]);
  const { offered, withheld } = toolsOf(patient);
  const chosen = withheld.filter(({ cause }) => CHOSEN.has(cause));
  const bad = withheld.filter(({ cause }) => cause === 'bad_schema');
  const rows: DoctorRow[] = [];
  if (bad.length > 0) {
    const says = `${count(bad.length, 'tool')} cannot be offered: the schema is broken.`;
    const next = 'Report it to who wrote the server.';
    rows.push(warn('tools', says, { cause: 'protocol_error', owner: 'server', next, details: reasons(bad) }));
  }
  const flagged = suspicious(patient);
  if (flagged.length > 0) {
    const says = `${count(flagged.length, 'tool')} may be there to mislead, and always asks.`;
    rows.push(
      warn('tools', says, {
        cause: 'denied',
        owner: 'server',
        next: `plug tools --audit ${id}`,
        details: flagged,
      }),
    );
  }
  if (manifest.problems.length > 0) {
    const says = `It broke rules of the protocol: ${count(manifest.problems.length, 'remark')}.`;
    const details = manifest.problems.slice(0, doctorLimits.detailsShown);
    rows.push(
      warn('tools', says, { cause: 'protocol_error', owner: 'server', next: `plug status ${id}`, details }),
    );
  }
  const others = manifest.resources.length + manifest.resourceTemplates.length + manifest.prompts.length;
  if (manifest.tools.length === 0 && others === 0) {
    const next = 'Look at its manual: some offer tools only with an argument, a key or a folder.';
    rows.push(
      warn('tools', 'It offers nothing: no tools, resources or prompts.', {
        cause: 'not_found',
        owner: 'server',
        next,
      }),
    );
  } else if (offered === 0 && manifest.tools.length > 0 && chosen.length === manifest.tools.length) {
    const says = 'None of its tools is offered, because of your own settings.';
    rows.push(
      warn('tools', says, {
        cause: 'disabled',
        owner: 'you',
        next: `plug tools --audit ${id}`,
        details: reasons(chosen),
      }),
    );
  }
  if (rows.length > 0) return Promise.resolve(rows);
  const hidden = chosen.length > 0 ? `, ${chosen.length} kept back by your settings` : '';
  return Promise.resolve([
    pass('tools', `${offered} of ${count(manifest.tools.length, 'tool')} offered${hidden}.`, {
      details: reasons(chosen),
    }),
  ]);
}

/** Tools that are not what was approved any more, and permissions that do not hold any more. */
export async function lookAtPins(patient: Patient): Promise<readonly DoctorRow[]> {
  const { manifest, state, id, visit } = patient;
  if (!manifest) return [beyondFailure(patient, 'pins') ?? neverStarted(patient, 'pins')];
  const { withheld } = toolsOf(patient);
  const changed = withheld.filter(({ cause }) => cause === 'changed');
  if (state.kind === 'quarantined') {
    const says = 'Every tool has changed since it was approved: the server is quarantined.';
    return [
      fail('pins', says, {
        ...CHANGED,
        next: state.next ?? `plug tools --audit ${id}`,
        details: reasons(changed),
      }),
    ];
  }
  const rows: DoctorRow[] = [];
  if (changed.length > 0) {
    const says = `${count(changed.length, 'tool')} changed since it was approved, and waits for you.`;
    rows.push(
      warn('pins', says, {
        ...CHANGED,
        next: changed[0]?.next ?? `plug tools --audit ${id}`,
        details: reasons(changed),
      }),
    );
  }
  const grants = await grantsOf(visit.core, visit.workspace).list({ server: id });
  const stale = grants.filter((grant) => grant.stale !== undefined);
  if (stale.length > 0) {
    const says = `${count(stale.length, 'grant does', 'grants do')} not hold any more.`;
    const details = stale.map((grant) => `${grant.says}: ${grant.stale}`).slice(0, doctorLimits.detailsShown);
    rows.push(
      warn('pins', says, {
        cause: 'denied',
        owner: 'you',
        next: `plug grants revoke ${stale[0]?.id}`,
        details,
      }),
    );
  }
  if (rows.length > 0) return rows;
  const { settings } = visit.core.deciding.known;
  const pinned = manifest.tools.filter(({ name }) => settings.pin(patient.pooled.key, name)).length;
  // The server has taken them away: that is its right, and whoever misses one finds it here.
  const gone = withheld.filter(
    ({ cause, name }) => cause === 'gone' && settings.pin(patient.pooled.key, name),
  );
  const says = pinned === 0 ? 'Nothing was approved yet.' : `${count(pinned, 'tool')} as approved.`;
  return [pass('pins', says, { details: reasons(gone) })];
}

const CHANGED = { cause: 'approval_required', owner: 'server' } as const;

/** What the user has chosen is no fault. */
const CHOSEN: ReadonlySet<WithheldTool['cause']> = new Set(['switched_off', 'filtered', 'read_only']);

function toolsOf({ visit, pooled, manifest }: Patient): {
  readonly offered: number;
  readonly withheld: readonly WithheldTool[];
} {
  if (!manifest) return { offered: 0, withheld: [] };
  const { tools, withheld } = visit.core.deciding.known.offered(pooled, manifest, undefined);
  return { offered: tools.length, withheld };
}

/** Tools with something in their definition that may be there to mislead; each with what it is. */
function suspicious({ visit, pooled, manifest }: Patient): readonly string[] {
  if (!manifest) return [];
  const { known } = visit.core.deciding;
  return known.catalog
    .entries(known.seen(pooled), manifest)
    .filter(({ tool, withheld }) => tool.flags.length > 0 && !withheld)
    .slice(0, doctorLimits.detailsShown)
    .map(({ tool }) => `${tool.name}: ${tool.flags.map((flag) => flag.kind).join(', ')}`);
}

function reasons(withheld: readonly WithheldTool[]): readonly string[] {
  return withheld.slice(0, doctorLimits.detailsShown).map(({ name, reason }) => `${name}: ${reason}`);
}
