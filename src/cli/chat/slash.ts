import { PlugError } from '../../base/errors.ts';
import { didYouMean, suggest } from '../../base/suggest.ts';
import type { Hub } from '../../hub/hub.ts';
import type { Session } from '../session.ts';
import type { Conversation } from './conversation.ts';
import { renderCost } from './cost.ts';
import { mcp, type RunCommand } from './mcp.ts';
import { checkServers, findModel } from './models.ts';
import { save } from './save.ts';
import { SLASH_WORDS } from './slash-words.ts';
import { modelText } from './start-line.ts';
import { usage } from '../failures.ts';
import { DONE, faint, strong } from '../output.ts';

export interface SlashOptions {
  readonly hub: Hub;
  readonly session: Session;
  readonly conversation: Conversation;
  readonly run: RunCommand;
}

/** What comes after a command: the next line, the end, or a message to send. */
export type AfterSlash =
  | { readonly kind: 'go-on' | 'leave' }
  | { readonly kind: 'send'; readonly text: string };

const GO_ON: AfterSlash = { kind: 'go-on' };

export async function runSlash(line: string, options: SlashOptions): Promise<AfterSlash> {
  const { hub, session, conversation, run } = options;
  const { out } = session;
  const [word = '', ...rest] = splitWords(line);
  switch (word) {
    case '/mcp':
      await mcp(hub, rest, session, run);
      return GO_ON;
    case '/servers':
      await chooseServers(rest, options);
      return GO_ON;
    case '/model':
      await chooseModel(rest[0], options);
      return GO_ON;
    case '/cost':
      renderCost(conversation.usages, out);
      return GO_ON;
    case '/save':
      await save(conversation, rest[0], session);
      return GO_ON;
    case '/new':
      conversation.begin();
      out.line('A new conversation. What it has cost so far still counts in /cost.');
      return GO_ON;
    case '/verbose':
      conversation.choose({ verbose: !conversation.choices.verbose });
      out.line(conversation.choices.verbose ? 'Shows more from now on.' : 'Shows less from now on.');
      return GO_ON;
    case '/retry':
      return retry(conversation);
    case '/help':
    case '/?':
      renderHelp(session);
      return GO_ON;
    case '/quit':
    case '/exit':
    case '/bye':
      return { kind: 'leave' };
    default:
      throw unknown(word);
  }
}

async function chooseServers(
  words: readonly string[],
  { hub, session, conversation }: SlashOptions,
): Promise<void> {
  const names = words.flatMap((word) => word.split(',')).filter((name) => name !== '');
  if (names.length === 1 && names[0] === 'all') conversation.choose({ servers: undefined });
  else if (names.length > 0)
    conversation.choose({
      servers: await checkServers(
        hub,
        names.map((name) => name.replace(/^@/, '')),
      ),
    });
  const { servers } = conversation.choices;
  session.out.line(
    servers === undefined
      ? 'The next messages use whichever servers they need.'
      : `The next messages use only ${servers.join(', ')}. /servers all takes that back.`,
  );
}

async function chooseModel(
  name: string | undefined,
  { hub, session, conversation, run }: SlashOptions,
): Promise<void> {
  if (name === undefined) {
    await run(['model', 'list']);
    return;
  }
  const model = await findModel(hub, name);
  if (!model) return;
  conversation.choose({ model: model.name });
  session.out.line(DONE, `${modelText(model)} answers from now on.`);
}

function retry({ last }: Conversation): AfterSlash {
  if (last !== undefined) return { kind: 'send', text: last };
  throw usage('There is no message to send again.');
}

function renderHelp({ out }: Session): void {
  for (const { word, takes, says } of SLASH_WORDS)
    out.line(strong(`  ${`${word} ${takes}`.padEnd(32)}`), says);
  out.line(faint('  A \\ at the end of a line goes on below it. Ctrl-C stops an answer. A line that begins'));
  out.line(faint('  with a blank is not kept in the history.'));
}

function unknown(word: string): PlugError {
  const near = suggest(
    word,
    SLASH_WORDS.map((one) => one.word),
  );
  return new PlugError('usage', `There is no command “${word}”. ${didYouMean(near)}`.trim(), {
    owner: 'you',
    remedy: '/help',
  });
}

/** Words as a shell would split them, without anything that a shell would do beyond that. */
export function splitWords(text: string): readonly string[] {
  const words: string[] = [];
  let word: string | undefined;
  let quote = '';
  for (let at = 0; at < text.length; at += 1) {
    const character = text.charAt(at);
    if (quote !== '') {
      if (character === quote) quote = '';
      else if (character === '\\' && quote === '"' && /["\\]/.test(text.charAt(at + 1)))
        word += text.charAt((at += 1));
      else word = (word ?? '') + character;
    } else if (character === "'" || character === '"') {
      quote = character;
      word ??= '';
    } else if (/\s/.test(character)) {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else word = (word ?? '') + (character === '\\' ? text.charAt((at += 1)) : character);
  }
  if (quote !== '') throw usage(`There is a ${quote} without an end.`);
  return word === undefined ? words : [...words, word];
}
