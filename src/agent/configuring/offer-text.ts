import type { OfferedPlan, PlanOffer } from '../../hub/hub.ts';
import { configuringLimits, cut } from './limits.ts';
import type { Proposed } from './propose.ts';
import type { Told } from './run-tool.ts';
import type { Setup } from './setup.ts';

/** A proposal as the model is told it: what the person sees now, without any value of theirs. */
export function offerText(_setup: Setup, { offer, plans, left, isRepair }: Proposed): Told {
  if (isRepair) {
    return {
      ours:
        'The text is damaged. The person is shown the corrected version and asked whether to use it. ' +
        'Once they say yes, call save_server again with the same paste.',
      theirs: repairLines(offer).join('\n'),
    };
  }
  const lines = [
    ...plans.map(planLine),
    ...(left === 0
      ? []
      : [`${left} more are in it than can be proposed at once: name them with “only” next.`]),
    ...offer.declined.map(({ name, why }) => `Declined: ${name}: ${why}`),
    ...offer.problems.map(({ line, message }) => `${line === undefined ? '' : `Line ${line}: `}${message}`),
    ...(offer.notMcp === undefined ? [] : [offer.notMcp]),
  ];
  const choices = plans.length === 0 ? offer.choices.slice(0, configuringLimits.choicesMax) : [];
  const ours =
    plans.length > 0
      ? 'The person is being asked on a card, which has fields for keys. Nothing was saved.'
      : choices.length > 0
        ? 'Several servers fit. The person is being asked which one.'
        : 'There is nothing to add in this. Tell the person why.';
  const named = choices.map(({ name, title }) => `- ${name}: ${cut(title, configuringLimits.nameCharsMax)}`);
  return { ours, theirs: [...lines, ...named].join('\n') || `Read as: ${offer.format}` };
}

export function repairLines({ repair, problems }: Pick<PlanOffer, 'repair' | 'problems'>): readonly string[] {
  return [
    ...(repair?.changes.map(({ line, what }) => `Line ${line}: ${what}`) ?? []),
    ...problems.map(({ line, message }) => `${line === undefined ? '' : `Line ${line}: `}${message}`),
    ...(repair ? [`Corrected:\n${repair.text.slice(0, configuringLimits.repairCharsMax)}`] : []),
  ];
}

function planLine({ server, view, needs }: OfferedPlan): string {
  const { title, summary, form, auth, warnings } = view;
  const missing = form.filter(({ id }) => needs.includes(id)).map(({ label }) => label);
  return [
    `${server} (${title}): ${summary}`,
    missing.length > 0 ? `Fields to fill in: ${missing.join(', ')}.` : '',
    `Sign-in: ${auth.why}`,
    ...warnings.map(({ message }) => message),
  ]
    .filter((part) => part !== '')
    .join(' ');
}
