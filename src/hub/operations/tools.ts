import type { JsonObject } from '../../base/json.ts';
import type {
  CallOptions,
  CallResult,
  ForwardedRequest,
  LearnedOutput,
  LearnedQuery,
  ToolList,
  ToolSearchAnswer,
  ToolSearchQuery,
} from '../calls.ts';
import type { RenderedTools, ToolAudit } from '../decisions.ts';
import {
  accountName,
  flag,
  host,
  jsonObject,
  ofServer,
  profileName,
  serverId,
  timeoutMs,
  toolRef,
} from './fields.ts';
import { local, member, owner, progress, type, type Zod } from './operation.ts';
import { isUsualCall } from './usual-call.ts';

const toolQuery = (z: Zod) => ({
  server: serverId(z).exactOptional(),
  profile: profileName(z).exactOptional(),
  /** Only what is known to read. */
  readOnly: flag(z),
  /** With tools of servers that failed or want a sign-in: calling one tells why. */
  failed: flag(z),
  search: z.string().max(400).exactOptional(),
});

export const tools = {
  list: member('GET /v1/tools', 'The tools as known; starts nothing unless a fresh list is asked for.', {
    redact: 'lists',
    input: (z) => ({
      ...toolQuery(z),
      /** With a server: ask it first what it offers now, for a short time. */
      fresh: flag(z),
      /** Whose connection is asked, where each host has one. */
      host: host(z).exactOptional(),
    }),
    output: type<ToolList>(),
  }),
  call: member('POST /v1/calls', 'Calls a tool. Closing the connection cancels the call.', {
    redact: 'progress',
    input: (z) => ({
      tool: toolRef(z),
      args: jsonObject(z).exactOptional(),
      profile: profileName(z).exactOptional(),
      /** Only a read is asked for: any other tool is refused. */
      readOnly: flag(z),
      /** Default: the server's default account. */
      account: accountName(z).exactOptional(),
      host: host(z).exactOptional(),
      timeoutMs: timeoutMs(z).exactOptional(),
      /** Passed through to the server in `_meta`. */
      meta: jsonObject(z).exactOptional(),
      /** Passed through beside the arguments: what a host sent that we do not know. */
      fields: jsonObject(z).exactOptional(),
      /** A person may answer their own question; a program may not. Default: a program. */
      requester: z.enum(['person', 'program']).exactOptional(),
      /** A person filled in the tool’s form and sent it. Only a page says so, for its own person. */
      consent: z.literal('form').exactOptional(),
      /** Default `refuse`: what needs an approval fails at once and says how to grant it. */
      approval: z.enum(['wait', 'refuse']).exactOptional(),
      /** Answer with the whole result however large; else a preview with a handle. */
      whole: flag(z),
      /** Beside a preview, leave structured content whole up to a bound: a program reads it. */
      wholeStructured: flag(z),
      /** Answer with a task's handle instead of following it to its end. */
      passTask: flag(z),
      /** Asks for a task of 2025-11-25: sent beside the arguments. */
      task: jsonObject(z).exactOptional(),
      /** For a model: texts are marked as what a server said, between marks that they cannot forge. */
      forModel: flag(z),
    }),
    isUsual: isUsualCall,
    output: type<CallResult>(),
    progress: progress(),
    options: type<CallOptions>(),
  }),
  learnedOutputs: member(
    'GET /v1/tools/learned-outputs',
    'What results of tools looked like that declare no output.',
    { input: ofServer, output: type<readonly LearnedOutput[]>() },
  ),
  learnedQueries: owner(
    'GET /v1/tools/learned-queries',
    'Searches that led to calls, as words that the catalog has.',
    { input: ofServer, output: type<readonly LearnedQuery[]>() },
  ),
  clearLearnedQueries: owner('DELETE /v1/tools/learned-queries', 'Forgets which searches led to calls.'),
  search: local('Finds the best tools of a list.', {
    redact: 'progress',
    input: type<ToolSearchQuery>(),
    output: type<ToolSearchAnswer>(),
  }),
  audit: member(
    'GET /v1/tools/audit',
    'Everything that is known about every tool, offered or not; failed servers first.',
    { input: ofServer, output: type<ToolAudit>() },
  ),
  render: member('GET /v1/tools/rendered', 'The tools in the shape of a model provider.', {
    input: (z) => ({
      ...toolQuery(z),
      format: z.enum(['openai', 'openai-chat', 'anthropic', 'gemini', 'ai-sdk', 'mcp']),
      names: z.enum(['mcp__server__tool', 'mcp:server:tool', 'server.tool', 'server__tool']).exactOptional(),
      /** With tools of ours that read resources and prompts, for models that know only tools. */
      offers: flag(z),
    }),
    output: type<RenderedTools>(),
  }),
  setEnabled: owner('PUT /v1/tools/enabled', 'Switches a single tool on or off.', {
    input: (z) => ({ ref: toolRef(z), enabled: z.boolean() }),
  }),
  setRisk: owner('PUT /v1/tools/risk', 'Sets the risk of a tool; without a risk, resets it.', {
    input: (z) => ({
      ref: toolRef(z),
      risk: z.enum(['read', 'write', 'destructive', 'unknown']).exactOptional(),
    }),
  }),
  /** Releases a quarantined tool, too. */
  approve: owner('POST /v1/tools/approve', 'Pins the definition of a tool as it is now.', {
    input: (z) => ({ ref: toolRef(z), hash: z.string().max(128).exactOptional() }),
  }),
  /** Forwards a `tasks/…` request about a task that a call with `passTask` or `task` began. */
  task: local('Asks about a task that was begun by a call.', {
    redact: 'progress',
    input: type<ForwardedRequest>(),
    output: type<JsonObject>(),
    options: type<CallOptions>(),
  }),
};
