import { PlugError } from '../../base/errors.ts';
import type { PlanOffer } from '../../hub/adding.ts';
import type { PasteInput } from '../paste-input.ts';
import { failureOf } from './search.ts';

/** Why nothing can be added, in the words of whatever stood in the way. */
export function nothingToAdd(offer: PlanOffer, { file }: PasteInput): PlugError {
  const { declined, choices, registries, problems, notMcp, format } = offer;
  const [first] = declined;
  if (first) {
    const more = declined.length > 1 ? ` ${declined.length - 1} more were declined, too.` : '';
    return new PlugError(first.code, first.why + more, {
      owner: first.owner,
      details: { declined },
      ...(first.next === undefined ? {} : { next: first.next }),
    });
  }
  const [choice] = choices;
  if (choice) {
    return new PlugError(
      'not_found',
      `Registries list ${choices.length === 1 ? 'a server that' : `${choices.length} servers, one of which`} may be meant. Nothing was added.`,
      {
        owner: 'you',
        next: `plug add ${choice.name}`,
        details: { choices: choices.map(({ name, description }) => ({ name, description })) },
      },
    );
  }
  const failed = registries.filter(({ state }) => state === 'failed');
  const silent = failed.map(failureOf).join(' ');
  const problem = problems.find(({ severity }) => severity === 'error');
  const where = file === undefined ? '' : ` in ${file}`;
  const message =
    notMcp ??
    problem?.message ??
    (format === 'plain words' ? 'No server of that name is known.' : `No server was found${where}.`);
  return new PlugError('not_found', [message, silent].filter((part) => part !== '').join(' '), {
    owner: 'you',
    next: problem?.next ?? 'plug search WORDS, or paste its address, command or config.',
    details: { problems, registries },
  });
}
