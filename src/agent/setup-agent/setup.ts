import { PlugError } from '../../base/errors.ts';
import type {
  ChatCallOutcome,
  ChatMessage,
  ConfiguringEvent,
  ConfiguringOptions,
  ConfiguringRequest,
  Deed,
  Proposal,
} from '../../hub/hub.ts';
import { messageText, readConversation } from '../conversation.ts';
import type { AgentParts } from '../parts.ts';
import { cut, setupLimits } from './limits.ts';
import { Mask } from './secrets-said.ts';
import { askedBy, stateOf, type OpenQuestion, type ConversationState, type Note } from './state.ts';

/** Also used, and shown, when there is no model. */
export type SetupTool =
  | 'search_registry'
  | 'probe_endpoint'
  | 'parse_config'
  | 'save_server'
  | 'list_servers'
  | 'test_connection'
  | 'remove_server'
  | 'enable_server'
  | 'disable_server'
  | 'sign_in'
  | 'give_key'
  | 'undo';

export interface Setup {
  readonly agent: AgentParts;
  readonly request: ConfiguringRequest;
  readonly signal: AbortSignal;
  readonly person: Person;
  readonly mask: Mask;
  readonly state: ConversationState;
  readonly remoteOnly: boolean;
  readonly proposals: Proposals;
  readonly turn: Turn;
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
    state: stateOf(request.messages),
    remoteOnly,
    proposals: new Proposals(tell),
    turn: new Turn(),
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

  add(proposal: Proposal): boolean {
    const key = proposalKey(proposal);
    if (this.#all.has(key)) return false;
    if (this.room <= 0) {
      const message = `No more than ${setupLimits.proposalsMax} things are proposed at once.`;
      const remedy = 'Agree to these first, then go on.';
      throw new PlugError('too_large', message, { owner: 'you', remedy });
    }
    this.#all.set(key, proposal);
    this.#tell({ kind: 'proposal', proposal });
    return true;
  }
}

/** What this turn did and spoke of, for the notes of the conversation. */
class Turn {
  readonly done: Deed[] = [];
  readonly #about = new Set<string>();
  /** Whether the person's own words ask for the removal; a model may have other ideas. */
  asksToRemove: (server: string) => boolean = () => true;
  undid = false;
  declined = false;
  /** The question stays: it was not answered. */
  keepAsked = false;
  readonly #kept: OpenQuestion[] = [];
  /** The key in the message was used: nobody needs it in the conversation any more. */
  usedKey = false;

  get about(): readonly string[] {
    return [...this.#about];
  }

  spokeOf(...servers: readonly string[]): void {
    for (const server of servers) this.#about.add(server);
  }

  /** One question of several stays open. */
  keep(asked: OpenQuestion): void {
    this.#kept.push(asked);
  }

  get kept(): readonly OpenQuestion[] {
    return this.#kept;
  }

  did(...deeds: readonly Deed[]): void {
    this.done.push(...deeds);
    this.spokeOf(...deeds.map(({ server }) => server));
  }
}

function proposalKey(proposal: Proposal): string {
  const { kind } = proposal;
  if (kind === 'install') {
    const { server, view } = proposal.plan;
    return `install ${server} ${view.url ?? view.command ?? ''}`;
  }
  if (kind === 'repair') return `repair ${proposal.offer.repair?.text ?? ''}`;
  if (kind === 'choose') return `choose ${proposal.choices.map(({ address }) => address).join(' ')}`;
  return `${kind} ${proposal.server}`;
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
  readonly texts: readonly string[];

  constructor(messages: readonly ChatMessage[]) {
    this.texts = messages.filter(({ role }) => role === 'user').map(messageText);
  }

  get last(): number {
    return this.texts.length;
  }

  text(number: number): string | undefined {
    return this.texts[number - 1];
  }

  wrote(text: string): boolean {
    const wanted = text.trim();
    return wanted !== '' && this.texts.some((each) => each.includes(wanted));
  }

  namedHost(host: string): boolean {
    const wanted = host.toLowerCase();
    return this.texts.some((each) => hostsIn(each).has(wanted));
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

/** What the next message is read against. */
export function noteOf({ state, turn, proposals }: Setup): Note {
  const { done, about, undid, declined } = turn;
  const careful = (each: OpenQuestion): OpenQuestion =>
    each.kind === 'remove' && !turn.asksToRemove(each.server) ? { ...each, careful: true } : each;
  const asked = [...askedBy(proposals.all, proposals.repaired).map(careful), ...turn.kept];
  const isIdle = asked.length === 0 && done.length === 0 && !undid && !declined;
  // “What do I have?” does not answer a question for a key; a yes after it answers nothing else.
  const waiting = isIdle ? state.asked.filter(({ kind }) => kind === 'install' || kind === 'key') : [];
  return {
    asked: turn.keepAsked ? state.asked : [...asked, ...waiting],
    ...(about.length > 0 ? { about } : {}),
    ...(done.length > 0 ? { done } : {}),
    ...(undid ? { undid } : {}),
  };
}
