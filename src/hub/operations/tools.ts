import type { JsonObject } from '../../base/json.ts';
import type { CallOptions, CallResult, ForwardedRequest, LearnedOutput, ToolList } from '../calls.ts';
import type { RenderedTools, ToolAudit } from '../decisions.ts';
import {
  accountName,
  host,
  jsonObject,
  ofServer,
  profileName,
  serverId,
  timeoutMs,
  toolRef,
} from './fields.ts';
import { local, op, progress, type, type Zod } from './operation.ts';

const toolQuery = (z: Zod) => ({
  server: serverId(z).exactOptional(),
  profile: profileName(z).exactOptional(),
  /** Only what is known to read. */
  readOnly: z.boolean().exactOptional(),
  /** With tools of servers that failed or want a sign-in: calling one tells why. */
  failed: z.boolean().exactOptional(),
  /** Words to look for; the best come first. */
  search: z.string().max(400).exactOptional(),
});

/** What can be called, and the call. */
export const tools = {
  /** From manifests alone: no server is started. */
  list: op('GET /v1/tools', {
    summary: 'The tools as known; starts nothing.',
    role: 'member',
    redact: 'lists',
    input: (z) => z.strictObject(toolQuery(z)),
    output: type<ToolList>(),
  }),
  call: op('POST /v1/calls', {
    summary: 'Calls a tool. Closing the connection cancels the call.',
    role: 'member',
    redact: 'progress',
    input: (z) =>
      z.strictObject({
        tool: toolRef(z),
        args: jsonObject(z).exactOptional(),
        profile: profileName(z).exactOptional(),
        /** Only a read is asked for: any other tool is refused. */
        readOnly: z.boolean().exactOptional(),
        /** Default: the server's default account. */
        account: accountName(z).exactOptional(),
        /** The attached host on whose behalf the call is made. */
        host: host(z).exactOptional(),
        timeoutMs: timeoutMs(z).exactOptional(),
        /** Passed through to the server in `_meta`. */
        meta: jsonObject(z).exactOptional(),
        /** A person may answer their own question; a program may not. Default: a program. */
        requester: z.enum(['person', 'program']).exactOptional(),
        /** Default `refuse`: what needs an approval fails at once and says how to grant it. */
        approval: z.enum(['wait', 'refuse']).exactOptional(),
        /** Answer with the whole result however large; else a preview with a handle. */
        whole: z.boolean().exactOptional(),
        /** Answer with a task's handle instead of following it to its end. */
        passTask: z.boolean().exactOptional(),
        /** Asks for a task of 2025-11-25: sent beside the arguments. */
        task: jsonObject(z).exactOptional(),
        /** For a model: texts are marked as what a server said, between marks that they cannot forge. */
        forModel: z.boolean().exactOptional(),
      }),
    output: type<CallResult>(),
    progress: progress(),
    options: type<CallOptions>(),
  }),
  /** What results of tools looked like that declare no output, as JSON Schema. */
  learnedOutputs: op('GET /v1/tools/learned-outputs', {
    summary: 'What results of tools looked like that declare no output.',
    role: 'member',
    input: ofServer,
    output: type<readonly LearnedOutput[]>(),
  }),
  audit: op('GET /v1/tools/audit', {
    summary: 'Everything that is known about every tool, offered or not; failed servers first.',
    role: 'member',
    input: ofServer,
    output: type<ToolAudit>(),
  }),
  render: op('GET /v1/tools/rendered', {
    summary: 'The tools in the shape of a model provider.',
    role: 'member',
    input: (z) =>
      z.strictObject({
        ...toolQuery(z),
        format: z.enum(['openai', 'anthropic', 'gemini', 'ai-sdk', 'mcp']),
        names: z
          .enum(['mcp__server__tool', 'mcp:server:tool', 'server.tool', 'server__tool'])
          .exactOptional(),
        /** With tools of ours that read resources and prompts, for models that know only tools. */
        offers: z.boolean().exactOptional(),
      }),
    output: type<RenderedTools>(),
  }),
  setEnabled: op('PUT /v1/tools/enabled', {
    summary: 'Switches a single tool on or off.',
    role: 'owner',
    input: (z) => z.strictObject({ ref: toolRef(z), enabled: z.boolean() }),
  }),
  setRisk: op('PUT /v1/tools/risk', {
    summary: 'Says what a tool may do; without a risk the override is taken back.',
    role: 'owner',
    input: (z) =>
      z.strictObject({
        ref: toolRef(z),
        risk: z.enum(['read', 'write', 'destructive', 'unknown']).exactOptional(),
      }),
  }),
  /** Releases a quarantined tool, too. */
  approve: op('POST /v1/tools/approve', {
    summary: 'Pins the definition of a tool as it is now.',
    role: 'owner',
    input: (z) => z.strictObject({ ref: toolRef(z), hash: z.string().max(128).exactOptional() }),
  }),
  /**
   * Forwards `tasks/get`, `tasks/update`, `tasks/cancel`, `tasks/result` or `tasks/list` about a
   * task that a call with `passTask` or `task` has answered with.
   */
  task: local({
    summary: 'Asks about a task that was begun by a call.',
    role: 'member',
    redact: 'progress',
    input: type<ForwardedRequest>(),
    output: type<JsonObject>(),
    options: type<CallOptions>(),
  }),
};
