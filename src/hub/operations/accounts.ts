import type { AccountView, RotateOutcome, SignInProgress } from '../accounts.ts';
import { accountName, ofServer, passphrase, serverId } from './fields.ts';
import { local, op, progress, type, type Zod } from './operation.ts';

export const accounts = {
  list: op('GET /v1/accounts', {
    summary: 'The accounts at all servers, or at one.',
    role: 'member',
    input: ofServer,
    output: type<readonly AccountView[]>(),
  }),
  /**
   * The address to open comes as progress; without a browser on this machine, the address that the
   * browser ended at is given to `answer`. A redacted address could not be opened; it was made here,
   * and holds no secret of ours.
   */
  signIn: op('POST /v1/accounts/sign-in', {
    summary: 'Signs in at a remote server; the address to open comes as progress.',
    role: 'member',
    redact: 'answer',
    input: (z) =>
      z.strictObject({
        server: serverId(z),
        /** Default: the account that is there, else `default`. */
        account: accountName(z).exactOptional(),
        /** A program that the user has registered at the authorization server. */
        clientId: z.string().max(2_048).exactOptional(),
        clientSecret: z.string().max(8_192).exactOptional(),
        /** Of the redirect address `http://127.0.0.1:PORT/callback`, where it must be a certain one. */
        callbackPort: z.number().int().min(1).max(65_535).exactOptional(),
      }),
    output: type<AccountView>(),
    progress: progress<SignInProgress>(),
  }),
  answer: op('POST /v1/accounts/answer', {
    summary: 'Gives the address that the browser ended at to a waiting sign-in.',
    role: 'member',
    input: (z) => z.strictObject({ id: z.string().max(128), address: z.string().max(16_384) }),
  }),
  /** Revokes the tokens, too, where the server offers it. */
  signOut: op('POST /v1/accounts/sign-out', {
    summary: 'Forgets an account and its tokens.',
    role: 'member',
    input: (z) => z.strictObject({ server: serverId(z), account: accountName(z).exactOptional() }),
  }),
  setDefault: op('POST /v1/accounts/default', {
    summary: 'Chooses the account that is used when none is named.',
    role: 'member',
    input: (z) => z.strictObject({ server: serverId(z), account: accountName(z) }),
  }),
};

const secretName = (z: Zod) => z.string().min(1).max(256);

export const secrets = {
  list: op('GET /v1/secrets', {
    summary: 'The names of the secrets in the vault.',
    role: 'member',
    output: type<readonly string[]>(),
  }),
  set: op('PUT /v1/secrets', {
    summary: 'Puts a secret into the vault.',
    role: 'member',
    input: (z) => z.strictObject({ name: secretName(z), value: z.string().min(1).max(65_536) }),
  }),
  remove: op('POST /v1/secrets/remove', {
    summary: 'Deletes a secret.',
    role: 'member',
    input: (z) => z.strictObject({ name: secretName(z) }),
  }),
  /** Answers how many secrets were sealed anew. */
  rotate: op('POST /v1/secrets/rotate', {
    summary: 'Seals every secret anew under a new key, and moves the key of the vault if asked to.',
    role: 'owner',
    input: (z) =>
      z.strictObject({
        /** Moves the key of the vault there first. */
        to: z.enum(['keyring', 'passphrase', 'environment', 'file']).exactOptional(),
        /** The new one; belongs to `to: 'passphrase'`. */
        passphrase: passphrase(z).exactOptional(),
      }),
    output: type<RotateOutcome>(),
  }),
  /** Wrong: `denied`. */
  unlock: op('POST /v1/secrets/unlock', {
    summary: 'Opens a vault that is locked with a passphrase, until the hub stops.',
    role: 'owner',
    input: (z) => z.strictObject({ passphrase: passphrase(z) }),
  }),
  /** The same texts without any secret that is kept here. */
  hide: local({
    summary: 'Takes secrets out of what a model is told.',
    role: 'member',
    input: type<{ readonly texts: readonly string[] }>(),
    output: type<readonly string[]>(),
  }),
};
