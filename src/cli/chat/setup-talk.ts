import type {
  ChatMessage,
  ConfiguringEvent,
  ConfiguringOutcome,
  Deed,
  FactNote,
  Proposal,
} from '../../hub/hub.ts';
import { defined } from '../../base/defined.ts';
import type { JsonObject } from '../../base/json.ts';
import { fillNeeds } from '../commands/fill-needs.ts';
import { DONE, FAILED, faint, strong } from '../output.ts';
import { renderError, stepText } from '../render/error.ts';
import { renderOffer } from '../render/plan.ts';
import { askYesNo, type HubSession } from '../session.ts';
import { personSays } from './person-says.ts';
import type { RunCommand } from './mcp.ts';
import { Screen } from './screen.ts';

interface SayOptions {
  readonly session: HubSession;
  readonly signal: AbortSignal;
  /** Signs in as `plug auth` does. */
  readonly run: RunCommand;
  /** Our name for a model; absent is the default one, if there is one. */
  readonly model?: string | undefined;
}

/** The conversation about one's servers, which also works without a model. Kept as long as the chat lasts. */
export class SetupTalk {
  #messages: readonly ChatMessage[] = [];

  async say(text: string, options: SayOptions): Promise<ConfiguringOutcome> {
    const outcome = await this.#turn(text, options);
    if (outcome.error && outcome.error.code !== 'cancelled') renderError(outcome.error, options.session.out);
    for (const proposal of outcome.proposals) {
      const more = await this.#show(proposal, options);
      if (more) return more;
    }
    return outcome;
  }

  begin(): void {
    this.#messages = [];
  }

  async #turn(text: string, { session, signal, model }: SayOptions): Promise<ConfiguringOutcome> {
    using screen = new Screen(session, { verbose: false });
    const messages = [...this.#messages, personSays(text)];
    const outcome = await session.hub.configuring.turn(
      { messages, ...defined({ model }) },
      { signal, onProgress: (event) => hear(screen, event) },
    );
    const said = outcome.said?.forget ? [...this.#messages, personSays(outcome.said.shown)] : messages;
    this.#messages = [...said, ...outcome.messages];
    return outcome;
  }

  /** A card as a terminal has it. What is typed unseen, such as a key, goes on in the conversation. */
  async #show(proposal: Proposal, options: SayOptions): Promise<ConfiguringOutcome | undefined> {
    const { session, run } = options;
    const { out, terminal, signal } = session;
    if (out.json) return undefined;
    switch (proposal.kind) {
      case 'install':
        return this.#offer(proposal, options);
      case 'sign-in':
        if (!proposal.agreed || !terminal.interactive) return undefined;
        await run(['auth', proposal.server]);
        this.#did(`You are signed in to ${proposal.server}.`, { kind: 'signed-in', server: proposal.server });
        return undefined;
      case 'key': {
        if (!terminal.interactive) return undefined;
        const key = await terminal.askHidden(`Key of ${proposal.server} (unseen; Enter for later): `, signal);
        return key.trim() === '' ? undefined : this.say(key.trim(), options);
      }
      case 'remedy':
        if (proposal.error.next !== undefined) out.note(faint('  next   '), stepText(proposal.error.next));
        return undefined;
      case 'remove':
        // A model's own words need not say it.
        out.note(strong(`Remove ${proposal.server}?`), faint(forgotten(proposal.credentials)));
        return undefined;
      case 'switch':
        out.note(strong(`Turn ${proposal.server} ${proposal.on ? 'on' : 'off'}?`));
        return undefined;
      case 'repair':
      case 'choose':
        return undefined; // the answer says it all
      default: // a newer hub may propose what this program does not know
        return proposal satisfies never;
    }
  }

  async #offer(
    { plan, key }: Extract<Proposal, { readonly kind: 'install' }>,
    options: SayOptions,
  ): Promise<ConfiguringOutcome | undefined> {
    const { session } = options;
    const { hub, out, terminal, signal } = session;
    const { home } = await hub.status();
    renderOffer(plan, { test: true, home, id: plan.server }, out);
    if (!terminal.interactive) return undefined;
    const { view, needs, server } = plan;
    const open = view.form.filter(({ id }) => needs.includes(id));
    const isPlain = !view.untrusted && view.defaultAnswer === 'yes' && !plan.bundle;
    const [field, ...others] = open;
    if (isPlain && (field === undefined || key !== undefined)) return undefined; // a “yes” is enough
    if (isPlain && field?.kind === 'secret' && others.length === 0) {
      const typed = await terminal.askHidden(`${field.label} (unseen; Enter for later): `, signal);
      return typed.trim() === '' ? undefined : this.say(typed.trim(), options);
    }
    // What a “yes” in passing does not do: it is looked at first, or needs more than a key.
    if (!(await askYesNo(session, `Add ${server}?`, view.defaultAnswer))) return undefined;
    const ready = plan.bundle ? await hub.plans.unpack({ plan: plan.plan }, { signal }) : plan;
    const filled = await fillNeeds(ready, { argv: [], env: [], header: [], pairs: [] }, session);
    const added = await out.working(`Trying ${server}`, () =>
      hub.plans.install({ plan: ready.plan, ...filled }, { signal }),
    );
    out.line(DONE, added.summary);
    this.#did(`${added.server.id} is added.`, { kind: 'added', server: added.server.id });
    if (added.signIn) await this.#show({ kind: 'sign-in', server: added.server.id, agreed: true }, options);
    return undefined;
  }

  #did(text: string, done: Deed): void {
    const note: FactNote = { plain: true, fact: true, done: [done], about: [done.server] };
    const providerOptions = { plugboard: note as unknown as JsonObject };
    this.#messages = [
      ...this.#messages,
      { role: 'assistant', content: [{ type: 'text', text }], providerOptions },
    ];
  }
}

function forgotten(credentials: readonly string[]): string {
  return credentials.length === 0 ? '' : ` Forgotten with it: ${credentials.join(', ')}`;
}

function hear(screen: Screen, event: ConfiguringEvent): void {
  switch (event.kind) {
    case 'text': // a terminal shows marks of Markdown as they are, and ours mark only names
      return screen.text(event.text.replaceAll('**', ''));
    case 'tool-start':
      return screen.status(`${event.says} …`);
    case 'tool-end':
      screen.status(undefined);
      return screen.line(event.outcome === 'completed' ? DONE : FAILED, faint(event.says));
    case 'proposal':
    case 'said':
      return undefined; // shown when the answer is there
    default: // a newer hub may tell what this program does not know
      return event satisfies never;
  }
}
