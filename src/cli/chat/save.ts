import { chmod, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { isObject } from '../../base/json.ts';
import { usage, userError } from '../failures.ts';
import { DONE } from '../output.ts';
import { askYesNo, type Session } from '../session.ts';
import { END_SIGNS, endText, type ShownCall } from './call-row.ts';
import { totalOf, type Conversation, type Entry } from './conversation.ts';

/** `/save [FILE]`: the conversation as Markdown, for its owner only; nothing is overwritten unasked. */
export async function save(
  conversation: Conversation,
  file: string | undefined,
  session: Session,
): Promise<void> {
  const { out, cwd, clock } = session;
  if (conversation.entries.length === 0) throw usage('There is nothing to save yet.');
  const stamp = new Date(clock.now()).toISOString().slice(0, 16).replace('T', '-').replace(':', '');
  const name = file ?? `chat-${stamp}.md`;
  const path = resolve(cwd, name);
  const text = markdownOf(conversation, clock.now());
  if (!(await write(path, text, 'wx'))) {
    if (
      !session.terminal.interactive ||
      !(await askYesNo(session, `${name} is there already. Overwrite it?`, 'no'))
    )
      throw userError('already_exists', `${name} is there already, and stays as it is.`, {
        remedy: '/save OTHER.md',
      });
    await write(path, text, 'w');
    await chmod(path, 0o600);
  }
  out.line(DONE, `Saved as ${name}.`);
}

async function write(path: string, text: string, flag: 'w' | 'wx'): Promise<boolean> {
  try {
    await writeFile(path, text, { flag, mode: 0o600 });
    return true;
  } catch (cause) {
    if (isObject(cause) && cause['code'] === 'EEXIST') return false;
    throw userError('usage', `${path} cannot be written: ${cause instanceof Error ? cause.message : ''}`, {
      cause,
    });
  }
}

function markdownOf({ entries, usages, choices }: Conversation, now: number): string {
  const { inputTokens, outputTokens, calls, cost } = totalOf(usages);
  const price = cost === undefined ? '' : `, $${cost.toFixed(4)}`;
  const about = `_${new Date(now).toISOString().slice(0, 10)}, model ${choices.model ?? 'default'}, ${inputTokens} tokens in, ${outputTokens} out, ${calls} calls${price}_`;
  return `# Chat\n\n${about}\n\n${entries.map(markdownEntry).join('\n\n')}\n`;
}

function markdownEntry(entry: Entry): string {
  switch (entry.kind) {
    case 'person':
      return `## You\n\n${entry.text}`;
    case 'model':
      return `## Model\n\n${entry.text.trim()}`;
    case 'call':
      return markdownCall(entry.call);
    case 'note':
    default:
      return `> ${entry.text.replaceAll('\n', '\n> ')}`;
  }
}

/** A fence that is longer than any inside it. */
function markdownCall({ tool, args, end }: ShownCall): string {
  const json = JSON.stringify(args, undefined, 2);
  const longest = Math.max(2, ...[...json.matchAll(/`+/g)].map(([marks]) => marks.length));
  const fence = '`'.repeat(longest + 1);
  const how = end ? `${END_SIGNS[end.outcome]} ${endText(tool, end)}` : `◐ ${tool}`;
  const kept = end?.resultId === undefined ? '' : `\n\nThe whole result: \`plug results ${end.resultId}\``;
  return `**${how}**\n\n${fence}json\n${json}\n${fence}${kept}`;
}
