import { stepOf } from '../../base/remedy-sentence.ts';
import type { Remedy } from '../../base/remedy.ts';
import { sentence } from '../../base/sentence.ts';
import type { OfferedPlan, PlanOffer, ServerView } from '../../hub/hub.ts';
import type { FoundServer } from '../../servers/registry/merge.ts';
import { cut, setupLimits, short } from './limits.ts';

export const EXAMPLES =
  'Tell me what you want to connect, such as “connect me to Notion”, paste an address like ' +
  '`https://mcp.example.com/mcp`, or paste a config or a command like `npx -y @modelcontextprotocol/server-memory`.';

/** What the person can do about it themselves, in a sentence of its own. */
export function nextSentence(remedy: Remedy | undefined): string {
  return remedy === undefined ? '' : ` Next: ${sentence(stepOf(remedy))}`;
}

export function fieldLabels(fields: readonly { readonly label: string }[]): string {
  return listed(fields.map(({ label }) => label));
}

export function plansSentence(plans: readonly OfferedPlan[], left: number, hasKey: boolean): string {
  if (plans.length === 0) return '';
  const isSure = plans.every(
    ({ view, bundle }) => !view.untrusted && view.defaultAnswer === 'yes' && !bundle,
  );
  const isOpen = !hasKey && plans.some(({ needs }) => needs.length > 0);
  const them = plans.length === 1 ? 'it' : 'them';
  const closing = !isSure
    ? `Have a look at ${them} before you agree on the card.`
    : isOpen
      ? ''
      : plans.length === 1
        ? 'Shall I add it?'
        : 'Shall I add them?';
  const more = left === 0 ? '' : ` There are ${left} more in it: paste them separately after these.`;
  const [first = '', ...others] = plans.map((plan) => planSentence(plan, hasKey));
  const all = others.length === 0 ? `${first} ${closing}` : [first, ...others, closing].join('\n\n');
  return all.trim() + more;
}

function planSentence({ view, needs, bundle }: OfferedPlan, hasKey: boolean): string {
  const { title, summary, form, auth, warnings, url, untrusted } = view;
  const missing = form.filter(({ id }) => needs.includes(id));
  const isSecret = missing.some(({ kind }) => kind === 'secret');
  const labels = fieldLabels(missing);
  const parts = [
    `I can set up **${title}** for you. ${sentence(summary)}`,
    missing.length > 0 && hasKey ? 'I use the key that you gave me.' : '',
    missing.length > 0 && !hasKey
      ? `It needs ${labels}: ${isSecret ? `paste it here or type it into the field. ${HIDDEN_KEY}` : 'type it into the field.'}`
      : '',
    auth.kind === 'oauth' && missing.length === 0 ? SIGNS_IN : '',
    auth.kind === 'unknown' && url !== undefined && !untrusted ? UNASKED : '',
    bundle ? 'Its bundle is downloaded and checked first.' : '',
    ...warnings.map(({ message }) => sentence(message)),
  ];
  return parts.filter((part) => part !== '').join(' ');
}

const SIGNS_IN =
  'You sign in with your browser once it is added; if you have a key for it, paste it here instead.';
const HIDDEN_KEY = 'A key goes into the vault, and never to a model.';
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
    ({ address, title, description, verified }, index) =>
      `${index + 1}. **${short(title)}** (\`${address}\`${verified ? ', verified' : ''}): ` +
      sentence(cut(description, setupLimits.descriptionCharsMax)),
  );
  const question =
    choices.length === 1
      ? `I found one server that fits “${words}”. Shall I add it?`
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
  disabled: 'disabled',
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

export function keyWanted(server: string): string {
  return `Paste the key of **${server}** here, or type it into the field: I hide it, and it goes into the vault, not to a model.`;
}
