import { configuringLimits } from './limits.ts';
import { repairLines } from './offer-text.ts';
import type { Wanted } from './propose.ts';
import type { Told } from './run-tool.ts';
import { doing, type Setup } from './setup.ts';

/** What a text says, as far as reading it tells. Nobody is asked, and nothing is proposed but a correction. */
export function readConfig(setup: Setup, { text, message, byModel }: Wanted, id: string): Promise<Told> {
  const says = byModel ? 'Reading a configuration' : 'Reading what you pasted';
  return doing(setup, { id, tool: 'parse_config', says }, async () => {
    const read = await setup.agent.hub.plans.recognise({ text });
    const { format, servers, problems, repair, notMcp } = read;
    const lines = [
      `Read as: ${format === '' ? 'nothing' : format}`,
      ...servers
        .slice(0, configuringLimits.serversToldMax)
        .map(
          ({ name, transport = 'unknown', needs, declined }) =>
            `- ${name}: ${transport}${needs.length > 0 ? `, needs ${needs.join(', ')}` : ''}` +
            (declined === undefined ? '' : `. Declined: ${declined}`),
        ),
      ...(notMcp === undefined ? [] : [notMcp]),
      ...repairLines({ problems, ...(repair ? { repair } : {}) }),
    ];
    const isUnseen = repair !== undefined && !byModel && message === setup.person.last;
    if (isUnseen) {
      setup.proposals.add({ kind: 'repair', offer: { problems, repair } });
      setup.proposals.repaired = message;
    }
    const ours = isUnseen
      ? 'It is damaged. The person is shown the corrected version and asked whether to use it.'
      : 'This is what it says. Nothing was proposed yet.';
    return {
      value: { ours, theirs: lines.join('\n') },
      says: format === '' ? 'Found nothing in it' : format,
    };
  });
}
