import { sentence } from '../../base/sentence.ts';
import type { OfferedPlan, PlanOffer, ServerView } from '../../hub/hub.ts';
import type { FoundServer } from '../../servers/registry/merge.ts';
import { cut, setupLimits, short } from './limits.ts';

export const EXAMPLES =
  'Tell me what you want to connect, such as “connect me to Notion”, paste an address like ' +
  '`https://mcp.example.com/mcp`, or paste a config or a command like `npx -y @modelcontextprotocol/server-memory`.';

export function plansSentence(plans: readonly OfferedPlan[], left: number): string {
  if (plans.length === 0) return '';
  const closing =
    plans.length === 1
      ? 'Have a look at it, and agree if it is what you want.'
      : 'Have a look at them, and agree to those that you want.';
  const more = left === 0 ? '' : ` There are ${left} more in it: paste them by themselves after these.`;
  const [first = '', ...others] = plans.map(planSentence);
  return (others.length === 0 ? `${first} ${closing}` : [first, ...others, closing].join('\n\n')) + more;
}

function planSentence({ view, needs, bundle }: OfferedPlan): string {
  const { title, summary, form, auth, warnings, url, untrusted } = view;
  const missing = form.filter(({ id }) => needs.includes(id));
  const isSecret = missing.some(({ kind }) => kind === 'secret');
  const labels = listed(missing.map(({ label }) => label));
  const parts = [
    `I can set up **${title}** for you. ${sentence(summary)}`,
    missing.length > 0
      ? `It still needs ${labels}: type it into the field${isSecret ? ', not into this chat' : ''}.`
      : '',
    auth.kind === 'oauth' && missing.length === 0 ? 'You sign in to it once it is added.' : '',
    auth.kind === 'unknown' && url !== undefined && !untrusted ? UNASKED : '',
    bundle ? 'Its bundle is downloaded and checked first.' : '',
    ...warnings.map(({ message }) => sentence(message)),
  ];
  return parts.filter((part) => part !== '').join(' ');
}

const UNASKED = 'It did not answer when I asked whether it wants a sign-in: see that the address is right.';

export function repairSentence({ repair, format }: Pick<PlanOffer, 'repair' | 'format'>): string {
  if (!repair) return '';
  const what = repair.changes.map(({ line, what: change }) => `- Line ${line}: ${sentence(change)}`);
  const text = repair.text.slice(0, setupLimits.repairCharsMax);
  const more = text.length < repair.text.length ? '\n…' : '';
  return [
    `This is damaged, but I can read it (${format}):`,
    what.join('\n'),
    `Here is the corrected version:\n\n\`\`\`\n${text}${more}\n\`\`\``,
    'Shall I use it?',
  ].join('\n\n');
}

export function choicesSentence(choices: readonly FoundServer[], words: string): string {
  const lines = choices.map(
    ({ name, title, description, verified }, index) =>
      `${index + 1}. **${short(title)}** (\`${name}\`${verified ? ', verified' : ''}): ` +
      sentence(cut(description, setupLimits.descriptionCharsMax)),
  );
  const question =
    choices.length === 1
      ? `I found one server that fits “${words}”. Do you want it?`
      : `I found ${choices.length} servers that fit “${words}”. Which one do you want?`;
  return `${question}\n\n${lines.join('\n')}`;
}

export function serverLine({ id, name, state, toolCount, account }: ServerView): string {
  const called = name === id ? '' : ` (${name})`;
  const tools = toolCount === 1 ? ', 1 tool' : toolCount > 0 ? `, ${toolCount} tools` : '';
  const who = account === undefined ? '' : `, as ${account}`;
  const isFine = state.kind === 'ready' || state.kind === 'asleep';
  const why = isFine ? '' : `: ${cut(state.reason, setupLimits.reasonCharsMax)}`;
  return `- **${id}**${called} is ${STATES[state.kind]}${tools}${who}${why}`;
}

const STATES: Readonly<Record<ServerView['state']['kind'], string>> = {
  disabled: 'switched off',
  asleep: 'there, and starts when it is needed',
  starting: 'starting',
  ready: 'connected',
  degraded: 'connected, with trouble',
  'needs-sign-in': 'waiting for you to sign in',
  'needs-input': 'waiting for something from you',
  failed: 'not working',
  quarantined: 'held back',
};

/** “a”, “a and b”, “a, b and c”. */
export function listed(names: readonly string[]): string {
  const last = names.at(-1) ?? '';
  return names.length < 2 ? last : `${names.slice(0, -1).join(', ')} and ${last}`;
}
