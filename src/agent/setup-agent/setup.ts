import { PlugError } from '../../base/errors.ts';
import type {
  ChatCallOutcome,
  ChatMessage,
  ConfiguringEvent,
  ConfiguringOptions,
  ConfiguringRequest,
  Proposal,
} from '../../hub/hub.ts';
import { messageText, readConversation } from '../conversation.ts';
import type { AgentParts } from '../parts.ts';
import { cut, setupLimits } from './limits.ts';
import { Mask } from './secrets-said.ts';
import { isObject, type Json } from '../../base/json.ts';

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

function proposalKey(proposal: Proposal): string {
  const { kind } = proposal;
  if (kind === 'install') {
    const { server, view } = proposal.plan;
    return `install ${server} ${view.url ?? view.command ?? ''}`;
  }
  if (kind === 'repair') return `repair ${proposal.offer.repair?.text ?? ''}`;
  if (kind === 'choose') return `choose ${proposal.choices.map(({ name }) => name).join(' ')}`;
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

/** The last answer's question, kept in the conversation, so that “yes” has a meaning. */
export interface Note {
  readonly choices?: readonly string[];
  /** The message that was damaged and can be used as corrected. */
  readonly repair?: number;
  readonly card?: boolean;
  /** Answered without a model: may quote servers and registries. */
  readonly plain?: boolean;
}

export function noteIn(messages: readonly ChatMessage[]): Note {
  return readNote(messages.findLast(({ role }) => role === 'assistant'));
}

export function readNote(message: ChatMessage | undefined): Note {
  const options = message?.['providerOptions'];
  const note = isObject(options) ? options[OURS] : undefined;
  if (!isObject(note)) return {};
  const { choices, repair, card, plain } = note;
  return {
    ...(Array.isArray(choices) ? { choices: choices.filter((name: Json) => typeof name === 'string') } : {}),
    ...(typeof repair === 'number' ? { repair } : {}),
    ...(card === true ? { card } : {}),
    ...(plain === true ? { plain } : {}),
  };
}

export function noteOf(proposals: readonly Proposal[], repairedMessage: number | undefined): Note {
  const choices = proposals.flatMap((each) =>
    each.kind === 'choose' ? each.choices.map(({ name }) => name) : [],
  );
  const isRepair = proposals.some(({ kind }) => kind === 'repair');
  const isCard = proposals.some(({ kind }) => kind === 'install' || kind === 'remove' || kind === 'sign-in');
  return {
    ...(choices.length > 0 ? { choices } : {}),
    ...(isRepair && repairedMessage !== undefined ? { repair: repairedMessage } : {}),
    ...(isCard ? { card: true } : {}),
  };
}

export function withNote(message: ChatMessage, note: Note): ChatMessage {
  if (Object.keys(note).length === 0) return message;
  const { providerOptions } = message;
  const others = isObject(providerOptions) ? providerOptions : {};
  return { ...message, providerOptions: { ...others, [OURS]: { ...note } } };
}

/** A model doesn't see our notes; its provider's options stay. */
export function withoutNote(message: ChatMessage): ChatMessage {
  const { providerOptions, ...rest } = message;
  if (!isObject(providerOptions) || !Object.hasOwn(providerOptions, OURS)) return message;
  const { [OURS]: _ours, ...others } = providerOptions;
  return { ...rest, ...(Object.keys(others).length > 0 ? { providerOptions: others } : {}) };
}

const OURS = 'plugboard';
