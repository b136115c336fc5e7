import { join } from 'node:path';
import { toPlugError } from '../../base/errors.ts';
import { findPaths } from '../../base/paths.ts';
import type { AttachedHost, HostOptions, Hub } from '../../hub/hub.ts';
import { exitCodes, type ExitCode } from '../exit-codes.ts';
import { faint } from '../output.ts';
import { renderError } from '../render/error.ts';
import type { HubSession } from '../session.ts';
import { completeLine, type Names } from './completion.ts';
import { usageText, type Conversation } from './conversation.ts';
import { openHistory, type History } from './history.ts';
import { Keyboard, chatTerminal, stoppedBy } from './keyboard.ts';
import { readMessage, type Read } from './line-editor.ts';
import { commandRunner } from './mcp.ts';
import { ensureModel } from './models.ts';
import { Questions } from './questions.ts';
import { serverQuestions } from './server-questions.ts';
import { hideEchoed, PROMPT } from './hide-echoed.ts';
import { isSlash, runSlash } from './slash.ts';
import { takeTurn } from './turn.ts';

export async function talkAtTerminal(conversation: Conversation, session: HubSession): Promise<ExitCode> {
  using keyboard = new Keyboard(session.terminal.streams.stdin());
  const { state } = findPaths({ env: session.env, platform: process.platform });
  const history = await openHistory(join(state, 'chat-history'));
  await using repl = new Repl({ conversation, session, keyboard, history });
  return await repl.talk();
}

interface ReplOptions {
  readonly conversation: Conversation;
  readonly session: HubSession;
  readonly keyboard: Keyboard;
  readonly history: History;
}

class Repl implements AsyncDisposable {
  readonly #options: ReplOptions;
  readonly #inside: HubSession;
  readonly #questions: Questions;
  readonly #host: ChatHost;
  #stop = new AbortController();

  constructor(options: ReplOptions) {
    const { conversation, session, keyboard } = options;
    this.#options = options;
    this.#inside = { ...session, terminal: chatTerminal(session.terminal, keyboard) };
    this.#questions = new Questions(this.#inside, this.#stopTurn);
    const asked = { session: this.#inside, questions: this.#questions, conversation, stop: this.#stopTurn };
    const handlers = serverQuestions(asked);
    this.#host = new ChatHost(session.hub, { name: 'plug chat', cwd: session.cwd, handlers });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#host[Symbol.asyncDispose]();
  }

  async talk(): Promise<ExitCode> {
    const { session, keyboard } = this.#options;
    for (;;) {
      const read = await this.#read();
      if (read.kind === 'interrupt') return exitCodes.interrupted;
      if (read.kind !== 'message' || keyboard.ended) return exitCodes.ok;
      try {
        if ((await this.#answer(read.text)) === 'leave') return exitCodes.ok;
      } catch (error) {
        session.signal.throwIfAborted();
        if (stoppedBy(error) || this.#stop.signal.aborted) session.out.note('Stopped.');
        else renderError(toPlugError(error).toView(), session.out);
      }
    }
  }

  async #read(): Promise<Read> {
    const { session, keyboard, history } = this.#options;
    let names: Promise<Names> | undefined;
    const read = await readMessage({
      keyboard,
      output: session.terminal.streams.stderr,
      prompt: PROMPT,
      preset: keyboard.takeTypedAhead(),
      history: history.entries,
      complete: async (line) => completeLine(line, await (names ??= namesOf(session.hub))),
      signal: session.signal,
    });
    if (read.kind !== 'message') return read;
    if (this.#options.conversation.isSetup && hideEchoed(read.text, session.terminal)) return read;
    await history.add(read.text);
    return read;
  }

  async #answer(typed: string): Promise<'leave' | undefined> {
    const { conversation } = this.#options;
    const text = typed.trim();
    this.#stop = new AbortController();
    if (text === '') return await this.#offerAgain();
    if (!isSlash(text)) return await (conversation.isSetup ? this.#setUp(text) : this.#send(text));
    const session = { ...this.#inside, signal: AbortSignal.any([this.#inside.signal, this.#stop.signal]) };
    using _ = this.#watchKeys();
    const after = await runSlash(text, { session, conversation, run: commandRunner(session) });
    if (after.kind === 'send') await this.#send(after.text);
    if (after.kind === 'set-up') await this.#setUp(after.text);
    return after.kind === 'leave' ? 'leave' : undefined;
  }

  async #send(text: string): Promise<undefined> {
    const { conversation, session } = this.#options;
    await ensureModel(session.hub, conversation);
    using _ = this.#watchKeys();
    const host = await this.#host.id();
    const signal = AbortSignal.any([session.signal, this.#stop.signal]);
    const turn = { session: this.#inside, conversation, text, host, signal, questions: this.#questions };
    const end = await takeTurn(turn);
    session.signal.throwIfAborted();
    const took = usageText(end.usage);
    if (end.kind === 'done' && took !== '') session.out.note(faint(`  ${took}`));
    if (end.kind === 'stopped') session.out.note({ style: 'warn', text: '⊘ ' }, STOPPED);
    if (end.kind === 'failed') session.out.note(faint('  Press Enter, or type /retry, to send it again.'));
  }

  async #setUp(text: string): Promise<undefined> {
    const { conversation } = this.#options;
    using _ = this.#watchKeys();
    const session = this.#inside;
    const signal = AbortSignal.any([session.signal, this.#stop.signal]);
    const { model } = conversation.choices;
    await conversation.setup.say(text, { session, signal, run: commandRunner(session), model });
  }

  async #offerAgain(): Promise<undefined> {
    const { conversation } = this.#options;
    const { unanswered } = conversation;
    if (unanswered === undefined) return;
    const { terminal, clock, signal } = this.#inside;
    const shown = unanswered.length > 60 ? `${unanswered.slice(0, 60)}…` : unanswered;
    const key = await terminal.askKey(`Send “${shown}” again? [Y/n] `, { clock, signal });
    // Ctrl-C and Esc are no answer: the message stays, and Enter asks about it again.
    if (key === 'interrupt' || key === 'escape') {
      this.#inside.out.note('Stopped.');
      return;
    }
    conversation.unanswered = undefined;
    if (key === 'y' || key === 'enter') await this.#send(unanswered);
  }

  #watchKeys(): Disposable {
    return this.#options.keyboard.watch({ interrupt: this.#stopTurn, escape: this.#stopTurn });
  }

  readonly #stopTurn = (): void => this.#stop.abort(new Error('stopped by the person'));
}

const STOPPED = 'Stopped. The conversation so far is kept; /retry asks again.';

async function namesOf(hub: Hub): Promise<Names> {
  const [{ servers }, { tools }, models] = await Promise.all([
    hub.servers.list(),
    hub.tools.list(),
    hub.models.list(),
  ]);
  return {
    servers: servers.map(({ id }) => id),
    tools: tools.map(({ ref }) => ref),
    models: models.map(({ name }) => name),
  };
}

/** One host for the whole chat, so that servers with a process per host keep theirs. */
class ChatHost implements AsyncDisposable {
  readonly #hub: Hub;
  readonly #options: HostOptions;
  #attached: { readonly host: AttachedHost; readonly hubStartedAt: number } | undefined;

  constructor(hub: Hub, options: HostOptions) {
    this.#hub = hub;
    this.#options = options;
  }

  async id(): Promise<string> {
    const { startedAt } = await this.#hub.status();
    if (this.#attached?.hubStartedAt !== startedAt) {
      await this.#attached?.host.close();
      this.#attached = { host: await this.#hub.hosts.attach(this.#options), hubStartedAt: startedAt };
    }
    return this.#attached.host.id;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#attached?.host.close();
  }
}
