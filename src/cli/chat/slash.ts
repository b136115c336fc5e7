import type { PlugError } from '../../base/errors.ts';
import { didYouMean, suggest } from '../../base/suggest.ts';
import { usage, userError } from '../failures.ts';
import { DONE, faint, strong } from '../output.ts';
import type { HubSession, Session } from '../session.ts';
import { renderCost, save, type Conversation } from './conversation.ts';
import { SLASH_WORDS, mcp, type RunCommand } from './mcp.ts';
import { checkServers, findModel, modelText } from './models.ts';

export interface SlashOptions {
  readonly session: HubSession;
  readonly conversation: Conversation;
  readonly run: RunCommand;
}

export type AfterSlash =
  | { readonly kind: 'go-on' | 'leave' }
  | { readonly kind: 'send' | 'set-up'; readonly text: string };

export async function runSlash(line: string, options: SlashOptions): Promise<AfterSlash> {
  const { session, conversation, run } = options;
  const { out } = session;
  const [word = '', ...rest] = splitWords(line);
  switch (word) {
    case '/mcp':
      await mcp(rest, session, run);
      break;
    case '/servers':
      await chooseServers(rest, options);
      break;
    case '/model':
      await chooseModel(rest[0], options);
      break;
    case '/setup': {
      const text = line.trim().slice(word.length).trim();
      if (text !== '') return { kind: 'set-up', text };
      conversation.isSetup = true;
      out.line('Messages now set up your servers. To return to the model: /chat');
      break;
    }
    case '/chat':
      conversation.isSetup = false;
      out.line('Messages now go to the model. To set up servers: /setup');
      break;
    case '/cost':
      renderCost(conversation.usages, out);
      break;
    case '/save':
      await save(conversation, rest[0], session);
      break;
    case '/new':
      conversation.begin();
      out.line('A new conversation. What it has cost so far still counts in /cost.');
      break;
    case '/verbose':
      conversation.choose({ verbose: !conversation.choices.verbose });
      out.line(conversation.choices.verbose ? 'Verbose on.' : 'Verbose off.');
      break;
    case '/retry':
      if (conversation.last === undefined) throw usage('There is no message to send again.');
      return { kind: 'send', text: conversation.last };
    case '/help':
    case '/?':
      renderHelp(session);
      break;
    case '/quit':
    case '/exit':
    case '/bye':
      return { kind: 'leave' };
    default:
      throw unknown(word);
  }
  return { kind: 'go-on' };
}

async function chooseServers(words: readonly string[], { session, conversation }: SlashOptions) {
  const typed = words.flatMap((word) => word.split(',')).filter((name) => name !== '');
  const names = typed.map((name) => name.replace(/^@/, ''));
  if (typed.length === 1 && typed[0] === 'all') conversation.choose({ servers: undefined });
  else if (names.length > 0) conversation.choose({ servers: await checkServers(session.hub, names) });
  const { servers } = conversation.choices;
  session.out.line(
    servers === undefined
      ? 'Messages use the servers they need.'
      : `The next messages use only ${servers.join(', ')}. To undo: /servers all`,
  );
}

async function chooseModel(name: string | undefined, { session, conversation, run }: SlashOptions) {
  if (name === undefined) {
    await run(['model', 'list']);
    return;
  }
  const model = await findModel(session.hub, name);
  if (!model) return;
  conversation.choose({ model: model.name });
  session.out.line(DONE, `${modelText(model)} now answers.`);
}

function renderHelp({ out }: Session): void {
  for (const { word, takes, says } of SLASH_WORDS)
    out.line(strong(`  ${`${word} ${takes}`.padEnd(32)}`), says);
  out.line(faint('  A \\ at the end of a line continues it. Ctrl-C stops an answer. A line that begins'));
  out.line(faint('  with a blank is not kept in the history.'));
}

function unknown(word: string): PlugError {
  const words = SLASH_WORDS.map((one) => one.word);
  const near = suggest(word, words);
  return userError('usage', `There is no command “${word}”. ${didYouMean(near)}`.trim(), { remedy: '/help' });
}

/** A path such as /usr/bin is a message. */
export function isSlash(text: string): boolean {
  return /^\/[\w?-]*(\s|$)/.test(text);
}

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
