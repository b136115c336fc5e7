import { PlugError } from '../../base/errors.ts';
import type {
  ChatCallOutcome,
  ChatMessage,
  ConfiguringEvent,
  ConfiguringOptions,
  ConfiguringRequest,
  Proposal,
} from '../../hub/hub.ts';
import { readConversation, messageText } from '../conversation.ts';
import type { AgentParts } from '../parts.ts';
import { setupLimits, cut } from './limits.ts';
import { Mask } from './mask.ts';
import { type Note, noteIn } from './notes.ts';

/** Also used, and shown, when there is no model. */
export type SetupTool =
  | 'search_registry'
  | 'probe_endpoint'
  | 'parse_config'
  | 'save_server'
  | 'list_servers'
  | 'test_connection'
  | 'remove_server';

export interface Setup {
  readonly agent: AgentParts;
  readonly request: ConfiguringRequest;
  readonly signal: AbortSignal;
  readonly person: Person;
  readonly mask: Mask;
  readonly asked: Note;
  readonly remoteOnly: boolean;
  readonly proposals: Proposals;
  readonly tell: (event: ConfiguringEvent) => void;
}

export async function openSetup(
  agent: AgentParts,
  request: ConfiguringRequest,
  { signal = new AbortController().signal, onProgress }: ConfiguringOptions,
): Promise<Setup> {
  readConversation(request.messages);
  const person = new Person(request.messages);
  const tell = onProgress ?? (() => undefined);
  const { remoteOnly } = await agent.hub.settings.get();
  return {
    agent,
    request,
    signal,
    person,
    mask: new Mask(agent.hub, person.texts.slice(-setupLimits.messagesMax)),
    asked: noteIn(request.messages),
    remoteOnly,
    proposals: new Proposals(tell),
    tell,
  };
}

class Proposals {
  readonly #tell: (event: ConfiguringEvent) => void;
  readonly #all = new Map<string, Proposal>();
  repaired: number | undefined;

  constructor(tell: (event: ConfiguringEvent) => void) {
    this.#tell = tell;
  }

  get all(): readonly Proposal[] {
    return [...this.#all.values()];
  }

  get room(): number {
    return setupLimits.proposalsMax - this.#all.size;
  }

  /** The same proposal is made once. */
  add(proposal: Proposal): boolean {
    const key = proposalKey(proposal);
    if (this.#all.has(key)) return false;
    if (this.room <= 0) {
      const message = `No more than ${setupLimits.proposalsMax} things are proposed at once.`;
      throw new PlugError('too_large', message, {
        owner: 'you',
        remedy: 'Agree to these first, then go on.',
      });
    }
    this.#all.set(key, proposal);
    this.#tell({ kind: 'proposal', proposal });
    return true;
  }
}

function proposalKey(proposal: Proposal): string {
  switch (proposal.kind) {
    case 'install': {
      const { server, view } = proposal.plan;
      return `install ${server} ${view.url ?? view.command ?? ''}`;
    }
    case 'remove':
    case 'sign-in':
      return `${proposal.kind} ${proposal.server}`;
    case 'repair':
      return `repair ${proposal.offer.repair?.text ?? ''}`;
    case 'choose':
      break;
  }
  return `choose ${proposal.choices.map(({ name }) => name).join(' ')}`;
}

export interface Done<T> {
  readonly value: T;
  readonly says: string;
  readonly outcome?: ChatCallOutcome;
}

export async function doing<T>(
  setup: Setup,
  { id, tool, says }: { readonly id: string | undefined; readonly tool: SetupTool; readonly says: string },
  work: () => Promise<Done<T>>,
): Promise<T> {
  const row = { id: id ?? setup.agent.ids.next('call'), tool };
  const shown = (text: string): string => setup.mask.hideSaid(cut(text, setupLimits.reasonCharsMax));
  setup.tell({ kind: 'tool-start', ...row, says: shown(says) });
  try {
    const { value, says: told, outcome = 'completed' } = await work();
    setup.tell({ kind: 'tool-end', ...row, outcome, says: shown(told) });
    return value;
  } catch (thrown) {
    const cancelled = setup.signal.aborted;
    const said = thrown instanceof Error ? thrown.message : String(thrown);
    const outcome: ChatCallOutcome = cancelled ? 'cancelled' : 'failed';
    setup.tell({ kind: 'tool-end', ...row, outcome, says: cancelled ? 'Cancelled' : shown(said) });
    throw thrown;
  }
}

/** The person's messages, word for word, numbered from 1. Only our code reads them, never a model. */
export class Person {
  readonly #texts: readonly string[];

  constructor(messages: readonly ChatMessage[]) {
    this.#texts = messages.filter(({ role }) => role === 'user').map(messageText);
  }

  get texts(): readonly string[] {
    return this.#texts;
  }

  get last(): number {
    return this.#texts.length;
  }

  text(number: number): string | undefined {
    return this.#texts[number - 1];
  }

  /** Otherwise a model made it up. */
  wrote(text: string): boolean {
    const wanted = text.trim();
    return wanted !== '' && this.#texts.some((each) => each.includes(wanted));
  }

  namedHost(host: string): boolean {
    const wanted = host.toLowerCase();
    return this.#texts.some((each) => hostsIn(each).has(wanted));
  }
}

/** Hosts with their port. A single word is no host. */
function hostsIn(text: string): ReadonlySet<string> {
  const written = text.slice(0, TEXT_CHARS_MAX).matchAll(HOST);
  return new Set([...written].map(([, host = '', bare = '']) => (host || bare).toLowerCase()));
}

const TEXT_CHARS_MAX = 256 * 1024;
const HOST =
  /\/\/(?:[^\s/@]{0,256}@)?([\w.-]{1,253}(?::\d{1,5})?)|(?<![\w.@/-])((?:localhost|(?:[\w-]{1,63}\.){1,10}[\w-]{1,63})(?::\d{1,5})?)/g;
