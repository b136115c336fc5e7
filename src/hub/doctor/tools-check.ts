import type { WithheldTool } from '../../catalog/tool.ts';
import { grantsOf } from '../decisions/grants-api.ts';
import type { DoctorRow } from '../hub.ts';
import { doctorLimits } from './limits.ts';
import type { CheckedServer } from './checked-server.ts';
import { beyondFailure, neverStarted } from './recorded.ts';
import { count, fail, pass, warn } from './rows.ts';

/** What of its tools is offered, and why the rest is not. */
export function lookAtTools(checked: CheckedServer): readonly DoctorRow[] {
  const { manifest, id } = checked;
  const beyond = beyondFailure(checked, 'tools');
  if (!manifest) return [beyond ?? neverStarted(checked, 'tools')];
  const { offered, withheld } = toolsOf(checked);
  const chosen = withheld.filter(({ cause }) => CHOSEN.has(cause));
  const bad = withheld.filter(({ cause }) => cause === 'bad_schema');
  const rows: DoctorRow[] = [];
  if (bad.length > 0) {
    const says = `${count(bad.length, 'tool')} cannot be offered: the schema is broken.`;
    const remedy = 'Report it to who wrote the server.';
    rows.push(
      warn('tools', says, { cause: 'protocol_error', owner: 'server', remedy, details: reasons(bad) }),
    );
  }
  const flagged = suspicious(checked);
  if (flagged.length > 0) {
    const says = `${count(flagged.length, 'tool')} may be there to mislead, and always asks.`;
    rows.push(
      warn('tools', says, {
        cause: 'denied',
        owner: 'server',
        remedy: { do: 'review-tools', server: id },
        details: flagged,
      }),
    );
  }
  if (manifest.problems.length > 0) {
    const says = `It broke rules of the protocol: ${count(manifest.problems.length, 'remark')}.`;
    const details = manifest.problems.slice(0, doctorLimits.detailsShown);
    rows.push(
      warn('tools', says, {
        cause: 'protocol_error',
        owner: 'server',
        remedy: { do: 'show-server', server: id },
        details,
      }),
    );
  }
  const others = manifest.resources.length + manifest.resourceTemplates.length + manifest.prompts.length;
  if (manifest.tools.length === 0 && others === 0) {
    const remedy = 'Look at its manual: some offer tools only with an argument, a key or a folder.';
    rows.push(
      warn('tools', 'It offers nothing: no tools, resources or prompts.', {
        cause: 'not_found',
        owner: 'server',
        remedy,
      }),
    );
  } else if (offered === 0 && manifest.tools.length > 0 && chosen.length === manifest.tools.length) {
    const says = 'None of its tools is offered, because of your own settings.';
    rows.push(
      warn('tools', says, {
        cause: 'disabled',
        owner: 'you',
        remedy: { do: 'review-tools', server: id },
        details: reasons(chosen),
      }),
    );
  }
  if (rows.length > 0) return rows;
  const hidden = chosen.length > 0 ? `, ${chosen.length} kept back by your settings` : '';
  return [
    pass('tools', `${offered} of ${count(manifest.tools.length, 'tool')} offered${hidden}.`, {
      details: reasons(chosen),
    }),
  ];
}

/** Tools that are not what was approved any more, and permissions that do not hold any more. */
export async function lookAtPins(checked: CheckedServer): Promise<readonly DoctorRow[]> {
  const { manifest, state, id, examination } = checked;
  if (!manifest) return [beyondFailure(checked, 'pins') ?? neverStarted(checked, 'pins')];
  const { withheld } = toolsOf(checked);
  const changed = withheld.filter(({ cause }) => cause === 'changed');
  if (state.kind === 'quarantined') {
    const says = 'Every tool has changed since it was approved: the server is quarantined.';
    return [
      fail('pins', says, {
        ...CHANGED,
        remedy: state.remedy ?? { do: 'review-tools', server: id },
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
        remedy: changed[0]?.remedy ?? { do: 'review-tools', server: id },
        details: reasons(changed),
      }),
    );
  }
  const grants = await grantsOf(examination.core, examination.workspace).list({ server: id }, {});
  const stale = grants.filter((grant) => grant.stale !== undefined);
  const [first] = stale;
  if (first) {
    const says = `${count(stale.length, 'grant does', 'grants do')} not hold any more.`;
    const details = stale.map((grant) => `${grant.says}: ${grant.stale}`).slice(0, doctorLimits.detailsShown);
    rows.push(
      warn('pins', says, {
        cause: 'denied',
        owner: 'you',
        remedy: { do: 'revoke-grant', id: first.id },
        details,
      }),
    );
  }
  if (rows.length > 0) return rows;
  const { settings } = examination.core.decisions.known;
  const pinned = manifest.tools.filter(({ name }) => settings.pin(checked.pooled.key, name)).length;
  // The server has taken them away: that is its right, and whoever misses one finds it here.
  const gone = withheld.filter(
    ({ cause, name }) => cause === 'gone' && settings.pin(checked.pooled.key, name),
  );
  const says = pinned === 0 ? 'Nothing was approved yet.' : `${count(pinned, 'tool')} as approved.`;
  return [pass('pins', says, { details: reasons(gone) })];
}

const CHANGED = { cause: 'approval_required', owner: 'server' } as const;

/** What the user has chosen is no fault. */
const CHOSEN: ReadonlySet<WithheldTool['cause']> = new Set(['switched_off', 'filtered', 'read_only']);

function toolsOf({ examination, pooled, manifest }: CheckedServer): {
  readonly offered: number;
  readonly withheld: readonly WithheldTool[];
} {
  if (!manifest) return { offered: 0, withheld: [] };
  const { tools, withheld } = examination.core.decisions.known.offered(pooled, manifest, undefined);
  return { offered: tools.length, withheld };
}

/** Tools with something in their definition that may be there to mislead; each with what it is. */
function suspicious({ examination, pooled, manifest }: CheckedServer): readonly string[] {
  if (!manifest) return [];
  const { known } = examination.core.decisions;
  return known.catalog
    .entries(known.seen(pooled), manifest)
    .filter(({ tool, withheld }) => tool.flags.length > 0 && !withheld)
    .slice(0, doctorLimits.detailsShown)
    .map(({ tool }) => `${tool.name}: ${tool.flags.map((flag) => flag.kind).join(', ')}`);
}

function reasons(withheld: readonly WithheldTool[]): readonly string[] {
  return withheld.slice(0, doctorLimits.detailsShown).map(({ name, reason }) => `${name}: ${reason}`);
}
