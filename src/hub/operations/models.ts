import type {
  ChatEvent,
  ChatMessage,
  ChatOutcome,
  ConfiguringEvent,
  ConfiguringOutcome,
  FoundModels,
  ModelView,
  OpenModel,
  ServerSuggestion,
} from '../chat.ts';
import {
  accountName,
  byShortName,
  flag,
  host,
  jsonObject,
  madeId,
  profileName,
  serverId,
  shortName,
  url,
} from './fields.ts';
import { local, member, owner, progress, type, type Zod } from './operation.ts';

const provider = (z: Zod) => z.enum(['openai', 'anthropic', 'google', 'compatible']);
const key = (z: Zod) => z.string().min(1).max(8_192);

export const models = {
  list: member('GET /v1/models', 'The models that chat can use.', { output: type<readonly ModelView[]>() }),
  save: owner(
    'PUT /v1/models/:name',
    'Adds a model, or replaces the one of that name; its key goes into the vault.',
    {
      input: (z) => ({
        name: shortName(z),
        provider: provider(z),
        model: z.string().min(1).max(256),
        url: url(z).exactOptional(),
        // What they may be is checked where the next step can be told.
        contextTokens: z.number().exactOptional(),
        price: z.strictObject({ input: z.number(), output: z.number() }).exactOptional(),
        /** Absent keeps the key of the model that is replaced, unless its address is another: a key is for one address. */
        key: key(z).exactOptional(),
        isDefault: flag(z),
      }),
      output: type<ModelView>(),
    },
  ),
  remove: owner('DELETE /v1/models/:name', 'Forgets a model and its key.', { input: byShortName }),
  setDefault: owner('POST /v1/models/:name/default', 'Chooses the model that is used when none is named.', {
    input: byShortName,
  }),
  offered: member('POST /v1/models/offered', 'Asks a provider which models it has.', {
    input: (z) => ({
      provider: provider(z),
      url: url(z).exactOptional(),
      key: key(z).exactOptional(),
      /** Use the key that this model of ours has for that address. */
      name: shortName(z).exactOptional(),
    }),
    output: type<readonly string[]>(),
  }),
  found: member('GET /v1/models/found', 'Models that run on this machine, by the program that runs them.', {
    output: type<readonly FoundModels[]>(),
  }),
  /** The default one when none is named. The key is added on the way out and never handed over. */
  open: local('The way to a model.', {
    redact: 'progress',
    input: type<{ readonly name?: string }>(),
    output: type<OpenModel>(),
  }),
};

const ROLES = ['system', 'user', 'assistant', 'tool'] as const;

const messages = (z: Zod) =>
  z
    .array(
      jsonObject(z).refine(
        (value): value is ChatMessage => ROLES.some((role) => role === value['role']),
        'A message has a role: system, user, assistant or tool.',
      ),
    )
    .min(1)
    .max(10_000);

export const chat = {
  /**
   * Keeps no conversation: the caller holds it. Without `run`, cancelling ends running calls too; with it, only
   * `stop` ends the turn, and `follow` tells everything that happened in it.
   */
  turn: member(
    'POST /v1/chat',
    'Lets a model answer with the tools it may use; what happens on the way comes as progress.',
    {
      input: (z) => ({
        messages: messages(z),
        model: shortName(z).exactOptional(),
        /** Only these servers. Absent: whichever the request needs. `@server` in the text names one too. */
        servers: z.array(serverId(z)).max(1_000).exactOptional(),
        profile: profileName(z).exactOptional(),
        /** By server: the account that its tools are called as. Default: the server's default account. */
        accounts: z.record(serverId(z), accountName(z)).exactOptional(),
        /** How much of the tools the model is shown; default `auto`. */
        mode: z.enum(['auto', 'all', 'servers', 'search', 'code']).exactOptional(),
        /** The attached host that answers what servers ask, in whose folder they work. */
        host: host(z).exactOptional(),
        /** Default `wait`: a call that needs an approval waits for a person. */
        approval: z.enum(['wait', 'refuse']).exactOptional(),
        instructions: z.string().max(100_000).exactOptional(),
        /** The caller's id for the turn, new each time. */
        run: madeId(z).exactOptional(),
      }),
      output: type<ChatOutcome>(),
      progress: progress<ChatEvent>(),
    },
  ),
  follow: member(
    'POST /v1/chat/:run/follow',
    'Follows a turn that runs in the hub, or ran within the hour: all progress from its beginning, then its outcome.',
    {
      input: (z) => ({
        run: madeId(z),
        /** Answers servers from now on, in place of the host that began the turn. */
        host: host(z).exactOptional(),
      }),
      output: type<ChatOutcome>(),
      progress: progress<ChatEvent>(),
    },
  ),
  stop: member('POST /v1/chat/:run/stop', 'Stops a turn that runs in the hub, with its calls.', {
    input: (z) => ({ run: madeId(z) }),
  }),
  suggest: member('POST /v1/chat/suggest', 'Servers that would help with a request and are not there yet.', {
    input: (z) => ({
      text: z.string().min(1).max(20_000),
      limit: z.number().int().positive().max(20).exactOptional(),
    }),
    output: type<readonly ServerSuggestion[]>(),
  }),
};

export const configuring = {
  /**
   * Proposes; writes only what the person's own last message says: a yes to the open question, a key, “turn off
   * notion”, “undo”. Keeps nothing, like `chat.turn`.
   */
  turn: owner(
    'POST /v1/configuring',
    'Sets up servers in a conversation: proposes, and does what was agreed to.',
    {
      input: (z) => ({
        /** Keys that were pasted are taken out before a model sees them. */
        messages: messages(z),
        /** By our name for it; absent is the default one; `none` answers without a model. */
        model: shortName(z).exactOptional(),
      }),
      output: type<ConfiguringOutcome>(),
      progress: progress<ConfiguringEvent>(),
    },
  ),
};
