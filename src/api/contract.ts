import { z } from 'zod';
import { addingContract } from './adding-contract.ts';
import { chatContract } from './chat-contract.ts';
import { decidingContract } from './deciding-contract.ts';
import { definition, jsonObject, profile } from './definition-schema.ts';
import { pageContract } from './page-contract.ts';
import type { OperationInput, OperationName } from './operations.ts';

const id = z.string().min(1).max(64);
const ref = z.string().min(1).max(512);
const host = z.string().max(128).exactOptional();
const uri = z.string().min(1).max(8_192);
const count = z.coerce.number().int().nonnegative();
const timeoutMs = z.number().int().positive().exactOptional();

const nothing = z.strictObject({});
const oneServer = z.strictObject({ id });
const account = z.string().min(1).max(128);
const secretName = z.string().min(1).max(256);
const passphrase = z.string().min(1).max(1_024);
const ofServer = z.strictObject({ server: id.exactOptional() });
const resource = z.strictObject({ server: id, uri });

/** What an operation takes: path, query and body fields in one flat object, parsed at the edge. */
export interface OperationContract<Name extends OperationName> {
  readonly summary: string;
  readonly input: z.ZodType<OperationInput<Name>>;
}

export const contract: { readonly [Name in OperationName]: OperationContract<Name> } = {
  health: { summary: 'Says that a hub is here, and nothing else.', input: nothing },
  openapi: { summary: 'This document.', input: nothing },
  status: { summary: 'Version, address, servers by state, memory.', input: nothing },
  watch: { summary: 'Everything that happens from now on.', input: nothing },
  shutdown: { summary: 'Stops the hub and every process it started.', input: nothing },

  'servers.list': { summary: 'All servers with their states, and the config files.', input: nothing },
  'servers.add': {
    summary: 'Connects to a server and saves its definition.',
    input: z.strictObject({
      definition,
      test: z.boolean().exactOptional(),
      replace: z.boolean().exactOptional(),
    }),
  },
  'servers.apply': {
    summary: 'Makes the database hold exactly these servers.',
    input: z.strictObject({ definitions: z.array(definition).max(1_000) }),
  },
  'servers.reload': { summary: 'Reads the config files again now.', input: nothing },
  'servers.restartFailed': { summary: 'Restarts every server that failed.', input: nothing },
  'servers.stopAll': { summary: 'Stops every server that runs.', input: nothing },
  'servers.ensureStarted': {
    summary: 'Starts servers in the background and returns at once.',
    input: z.strictObject({ ids: z.array(id).max(1_000).exactOptional() }),
  },
  'servers.waitUntilReady': {
    summary: 'Starts servers and waits until each is ready or has failed.',
    input: z.strictObject({ ids: z.array(id).max(1_000).exactOptional(), timeoutMs }),
  },
  'servers.get': { summary: 'One server with its state.', input: oneServer },
  'servers.definition': { summary: 'All of a definition, placeholders unresolved.', input: oneServer },
  'servers.remove': { summary: 'Stops a server and forgets it.', input: oneServer },
  'servers.enable': { summary: 'Switches a server on.', input: oneServer },
  'servers.disable': { summary: 'Switches a server off.', input: oneServer },
  'servers.setReadOnly': {
    summary: 'Offers only the tools of a server that change nothing, or all of them.',
    input: z.strictObject({ id, readOnly: z.boolean() }),
  },
  'servers.trust': {
    summary: 'Lets what reads run without asking, and an entry of a project file run as it reads now.',
    input: z.strictObject({
      id,
      fingerprint: z.string().max(128).exactOptional(),
      session: z.boolean().exactOptional(),
    }),
  },
  'servers.untrust': { summary: 'Takes the trust in a server back.', input: oneServer },
  'servers.start': { summary: 'Starts a server.', input: oneServer },
  'servers.stop': { summary: 'Stops a server.', input: oneServer },
  'servers.restart': { summary: 'Stops and starts a server.', input: oneServer },
  'servers.reconnect': { summary: 'Opens a new session with a server.', input: oneServer },
  'servers.logs': {
    summary: 'What a server wrote to stderr.',
    input: z.strictObject({ id, lines: count.exactOptional() }),
  },
  'servers.events': {
    summary: 'Changes of state that were recorded, newest first.',
    input: z.strictObject({
      server: id.exactOptional(),
      since: count.exactOptional(),
      limit: count.exactOptional(),
    }),
  },

  'tools.list': {
    summary: 'The tools as known; starts nothing.',
    input: z.strictObject({
      server: id.exactOptional(),
      profile: z.string().max(128).exactOptional(),
      search: z.string().max(400).exactOptional(),
    }),
  },
  'tools.call': {
    summary: 'Calls a tool. Closing the connection cancels the call.',
    input: z.strictObject({
      tool: ref,
      args: jsonObject.exactOptional(),
      profile: z.string().max(128).exactOptional(),
      account: account.exactOptional(),
      host,
      timeoutMs,
      meta: jsonObject.exactOptional(),
      requester: z.enum(['person', 'program']).exactOptional(),
      approval: z.enum(['wait', 'refuse']).exactOptional(),
      whole: z.boolean().exactOptional(),
      forModel: z.boolean().exactOptional(),
    }),
  },

  'resources.list': { summary: 'Resources and resource templates as known.', input: ofServer },
  'resources.read': { summary: 'Reads a resource.', input: z.strictObject({ server: id, uri, host }) },
  'resources.subscribe': { summary: 'Asks for events when a resource changes.', input: resource },
  'resources.unsubscribe': { summary: 'Ends a subscription.', input: resource },

  'prompts.list': { summary: 'Prompts as known.', input: ofServer },
  'prompts.get': {
    summary: 'Fills in a prompt.',
    input: z.strictObject({
      server: id,
      name: ref,
      args: z.record(z.string(), z.string()).exactOptional(),
      host,
    }),
  },
  'prompts.complete': {
    summary: 'Completes an argument of a prompt or of a resource template.',
    input: z.strictObject({
      server: id,
      ref: jsonObject,
      argument: z.strictObject({ name: z.string(), value: z.string() }),
      context: jsonObject.exactOptional(),
    }),
  },
  'prompts.setLogLevel': {
    summary: 'Sets how much a server logs.',
    input: z.strictObject({ server: id, level: z.string().max(32) }),
  },

  'profiles.list': { summary: 'All profiles.', input: nothing },
  'profiles.save': { summary: 'Saves a profile under its name.', input: profile },
  'profiles.remove': {
    summary: 'Removes a profile.',
    input: z.strictObject({ name: z.string().min(1).max(128) }),
  },

  'accounts.list': { summary: 'The accounts at all servers, or at one.', input: ofServer },
  'accounts.signIn': {
    summary: 'Signs in at a remote server; the address to open comes as progress.',
    input: z.strictObject({
      server: id,
      account: account.exactOptional(),
      clientId: z.string().max(2_048).exactOptional(),
      clientSecret: z.string().max(8_192).exactOptional(),
      callbackPort: z.number().int().min(1).max(65_535).exactOptional(),
    }),
  },
  'accounts.answer': {
    summary: 'Gives the address that the browser ended at to a waiting sign-in.',
    input: z.strictObject({ id: z.string().max(128), address: z.string().max(16_384) }),
  },
  'accounts.signOut': {
    summary: 'Forgets an account and its tokens.',
    input: z.strictObject({ server: id, account: account.exactOptional() }),
  },
  'accounts.setDefault': {
    summary: 'Chooses the account that is used when none is named.',
    input: z.strictObject({ server: id, account }),
  },

  'secrets.list': { summary: 'The names of the secrets in the vault.', input: nothing },
  'secrets.set': {
    summary: 'Puts a secret into the vault.',
    input: z.strictObject({ name: secretName, value: z.string().min(1).max(65_536) }),
  },
  'secrets.remove': { summary: 'Deletes a secret.', input: z.strictObject({ name: secretName }) },
  'secrets.rotate': {
    summary: 'Seals every secret anew under a new key, and moves the key of the vault if asked to.',
    input: z.strictObject({
      to: z.enum(['keyring', 'passphrase', 'environment', 'file']).exactOptional(),
      passphrase: passphrase.exactOptional(),
    }),
  },
  'secrets.unlock': {
    summary: 'Opens a vault that is locked with a passphrase, until the hub stops.',
    input: z.strictObject({ passphrase }),
  },

  ...addingContract,
  ...decidingContract,
  ...chatContract,
  ...pageContract,

  'hosts.attach': {
    summary: 'Registers a face that can answer what servers ask.',
    input: z.strictObject({
      name: z.string().min(1).max(128),
      cwd: z.string().max(4_096).exactOptional(),
      answers: z.array(z.enum(['elicitation', 'sampling', 'roots'])).max(3),
    }),
  },
  'hosts.requests': { summary: 'What servers ask of this host.', input: z.strictObject({ id: ref }) },
  'hosts.answer': {
    summary: 'Answers one request, or says why it was not answered.',
    input: z.union([
      z.strictObject({ id: ref, requestId: ref, result: jsonObject }),
      z.strictObject({ id: ref, requestId: ref, problem: z.string().max(2_000) }),
    ]),
  },
  'hosts.detach': { summary: 'The face goes; its open requests fail.', input: z.strictObject({ id: ref }) },
};
