import type { ChangeView, UndoOutcome } from '../changes.ts';
import type { ClientEdit, ClientList } from '../client-files.ts';
import type { SetupOutcome, SetupPlan } from '../setup.ts';
import type { UpdateOutcome, UpdatePlan, UpdateView } from '../updates.ts';
import { flag, madeId, profileName, serverId, shortName, toolRef, url } from './fields.ts';
import { owner, progress, type, type Zod } from './operation.ts';

const client = (z: Zod) => ({
  client: shortName(z),
  scope: z.enum(['user', 'project']).exactOptional(),
  dryRun: flag(z),
});

export const clients = {
  list: owner('GET /v1/clients', 'Apps on this machine that can use our gateway, and which of them do.', {
    output: type<ClientList>(),
  }),
  connect: owner('POST /v1/clients/:client/connect', "Writes our gateway into another client's file.", {
    input: (z) => ({
      ...client(z),
      /** Of the gateway: the client comes by address then, with a token of its own. */
      url: url(z).exactOptional(),
      profile: profileName(z).exactOptional(),
      readOnly: flag(z),
    }),
    output: type<ClientEdit>(),
  }),
  disconnect: owner(
    'POST /v1/clients/:client/disconnect',
    "Takes our gateway out of another client's file, and revokes its token.",
    { input: client, output: type<ClientEdit>() },
  ),
};

export const changes = {
  list: owner('GET /v1/changes', 'Changes that can be undone, newest first.', {
    output: type<readonly ChangeView[]>(),
  }),
  undo: owner('POST /v1/changes/undo', 'Undoes the last change to servers or to files of other clients.', {
    input: (z) => ({
      /** The change that was shown; when another is the last one by now, nothing is done. */
      change: madeId(z).exactOptional(),
      /** Also where somebody changed the same things since; copies are kept. */
      force: flag(z),
      dryRun: flag(z),
    }),
    output: type<UndoOutcome>(),
  }),
  clear: owner('DELETE /v1/changes', 'Deletes the undo history.', {
    output: type<{ readonly forgotten: number }>(),
  }),
};

export const setup = {
  plan: owner('GET /v1/setup', 'What setup would import and which files it would write.', {
    output: type<SetupPlan>(),
  }),
  /** Exactly what was shown: finds that changed since are left out. One undo takes all of it back. */
  run: owner('POST /v1/setup', 'Imports servers, connects clients and makes one safe call.', {
    input: (z) => ({
      pick: z.array(z.strictObject({ ref: toolRef(z), fingerprint: z.string().max(128) })).max(1_000),
      clients: z.array(shortName(z)).max(100),
      /** How long to wait for the servers. */
      timeoutMs: z.number().int().positive().exactOptional(),
    }),
    output: type<SetupOutcome>(),
    progress: progress<{ readonly text: string }>(),
  }),
};

export const updates = {
  list: owner('GET /v1/updates', 'The version of each server, and the newest there is.', {
    input: (z) => ({
      server: serverId(z).exactOptional(),
      /** Ask the package indexes now; else what is known. */
      check: flag(z),
    }),
    output: type<readonly UpdateView[]>(),
    progress: progress(),
  }),
  plan: owner('POST /v1/updates/:server/plan', 'Starts the newer version beside the other and compares.', {
    input: (z) => ({ server: serverId(z), version: z.string().min(1).max(64).exactOptional() }),
    output: type<UpdatePlan>(),
    progress: progress<{ readonly text: string }>(),
  }),
  apply: owner('POST /v1/updates/:server/apply', 'Carries out an update that was shown.', {
    input: (z) => ({ server: serverId(z), update: madeId(z) }),
    output: type<UpdateOutcome>(),
  }),
};
