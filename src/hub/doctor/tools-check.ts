import type { WithheldTool } from '../../catalog/tool.ts';
import { LIBRARY } from '../client.ts';
import { grantsOf } from '../decisions/grants-api.ts';
import type { DoctorRow } from '../hub.ts';
import type { CheckedServer } from './checked-server.ts';
import { beyondFailure, neverStarted } from './recorded.ts';
import { count, DENIED, doctorLimits, fail, pass, PROTOCOL_ERROR, type Rows, warn } from './rows.ts';

export function lookAtTools(checked: CheckedServer): Rows {
  const { manifest, id } = checked;
  if (!manifest) return beyondFailure(checked, 'tools') ?? neverStarted(checked, 'tools');
  const { offered, withheld } = toolsOf(checked);
  const chosen = withheld.filter(({ cause }) => CHOSEN.has(cause));
  const bad = withheld.filter(({ cause }) => cause === 'bad_schema');
  const review = { do: 'review-tools', server: id } as const;
  const rows: DoctorRow[] = [];
  if (bad.length > 0) {
    const says = `${count(bad.length, 'tool')} cannot be offered: the schema is broken.`;
    const remedy = 'Report it to the author of the server.';
    rows.push(warn('tools', says, { ...PROTOCOL_ERROR, remedy, details: reasons(bad) }));
  }
  const flagged = suspicious(checked);
  if (flagged.length > 0) {
    const says = `${count(flagged.length, 'tool')} may be misleading, and always asks.`;
    rows.push(warn('tools', says, { cause: 'denied', owner: 'server', remedy: review, details: flagged }));
  }
  if (manifest.problems.length > 0) {
    const says = `It broke rules of the protocol: ${count(manifest.problems.length, 'remark')}.`;
    const details = manifest.problems.slice(0, doctorLimits.detailsShown);
    rows.push(warn('tools', says, { ...PROTOCOL_ERROR, remedy: { do: 'show-server', server: id }, details }));
  }
  const others = manifest.resources.length + manifest.resourceTemplates.length + manifest.prompts.length;
  if (manifest.tools.length === 0 && others === 0) {
    const says = 'It offers nothing: no tools, resources or prompts.';
    const remedy = 'Check its manual: some servers offer tools only with an argument, a key or a folder.';
    rows.push(warn('tools', says, { cause: 'not_found', owner: 'server', remedy }));
  } else if (offered === 0 && manifest.tools.length > 0 && chosen.length === manifest.tools.length) {
    const says = 'Your settings hide all of its tools.';
    const details = reasons(chosen);
    rows.push(warn('tools', says, { cause: 'disabled', owner: 'you', remedy: review, details }));
  }
  if (rows.length > 0) return rows;
  const hidden = chosen.length > 0 ? `, ${chosen.length} hidden by your settings` : '';
  const says = `${offered} of ${count(manifest.tools.length, 'tool')} offered${hidden}.`;
  return pass('tools', says, { details: reasons(chosen) });
}

export async function lookAtPins(checked: CheckedServer): Promise<Rows> {
  const { manifest, state, id, examination, pooled } = checked;
  if (!manifest) return beyondFailure(checked, 'pins') ?? neverStarted(checked, 'pins');
  const { withheld } = toolsOf(checked);
  const changed = withheld.filter(({ cause }) => cause === 'changed');
  const approval = { cause: 'approval_required', owner: 'server', details: reasons(changed) } as const;
  const review = { do: 'review-tools', server: id } as const;
  if (state.kind === 'quarantined') {
    const says = 'Every tool changed since it was approved. The server is quarantined.';
    return fail('pins', says, { ...approval, remedy: state.remedy ?? review });
  }
  const rows: DoctorRow[] = [];
  if (changed.length > 0) {
    const says = `${count(changed.length, 'tool')} changed since it was approved and needs approval again.`;
    rows.push(warn('pins', says, { ...approval, remedy: changed[0]?.remedy ?? review }));
  }
  const grants = await grantsOf(examination.core, examination.workspace, LIBRARY).list({ server: id }, {});
  const stale = grants.filter((grant) => grant.stale !== undefined);
  const [first] = stale;
  if (first) {
    const says = `${count(stale.length, 'grant no longer applies', 'grants no longer apply')}.`;
    const details = stale.map((grant) => `${grant.says}: ${grant.stale}`).slice(0, doctorLimits.detailsShown);
    rows.push(warn('pins', says, { ...DENIED, remedy: { do: 'revoke-grant', id: first.id }, details }));
  }
  if (rows.length > 0) return rows;
  const { settings } = examination.core.decisions.known;
  const pinned = manifest.tools.filter(({ name }) => settings.pin(pooled.key, name)).length;
  const gone = withheld.filter(({ cause, name }) => cause === 'gone' && settings.pin(pooled.key, name));
  const says = pinned === 0 ? 'No tools approved yet.' : `${count(pinned, 'tool')} as approved.`;
  return pass('pins', says, { details: reasons(gone) });
}

/** Withheld by the user's own choice, which is no fault. */
const CHOSEN: ReadonlySet<WithheldTool['cause']> = new Set(['switched_off', 'filtered', 'read_only']);

function toolsOf({ examination, pooled, manifest }: CheckedServer): {
  readonly offered: number;
  readonly withheld: readonly WithheldTool[];
} {
  if (!manifest) return { offered: 0, withheld: [] };
  const { tools, withheld } = examination.core.decisions.known.offered(pooled, manifest, undefined);
  return { offered: tools.length, withheld };
}

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
