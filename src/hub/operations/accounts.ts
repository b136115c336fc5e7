import type { AccountView, RotateOutcome, SignInProgress } from '../accounts.ts';
import type { InstallProgress } from '../plans.ts';
import { accountName, ofServer, passphrase, serverId } from './fields.ts';
import { local, member, owner, progress, type, type Zod } from './operation.ts';

export const accounts = {
  list: member('GET /v1/accounts', 'The accounts at all servers, or at one.', {
    input: ofServer,
    output: type<readonly AccountView[]>(),
  }),
  /** A redacted address could not be opened; it was made here and holds no secret of ours. */
  signIn: member(
    'POST /v1/accounts/sign-in',
    'Signs in at a remote server; the address to open comes as progress.',
    {
      redact: 'answer',
      input: (z) => ({
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
    },
  ),
  answer: member(
    'POST /v1/accounts/answer',
    'Gives the address that the browser ended at to a waiting sign-in.',
    { input: (z) => ({ id: z.string().max(128), address: z.string().max(16_384) }) },
  ),
  /** Revokes the tokens, too, where the server offers it. */
  /** For a server with keys: tried first, and saved only if they work. */
  setKeys: member('POST /v1/accounts/keys', 'Gives an account at a server with keys its own.', {
    input: (z) => ({
      server: serverId(z),
      /** Default: the account that is there, else `default`. */
      account: accountName(z).exactOptional(),
      /** By the field of the key, such as `API_KEY`. */
      values: z.record(z.string().max(128), z.string().min(1).max(65_536)),
    }),
    output: type<AccountView>(),
    progress: progress<InstallProgress>(),
  }),
  signOut: member('POST /v1/accounts/sign-out', 'Forgets an account and its tokens.', {
    input: (z) => ({ server: serverId(z), account: accountName(z).exactOptional() }),
  }),
  setDefault: member('POST /v1/accounts/default', 'Chooses the account that is used when none is named.', {
    input: (z) => ({ server: serverId(z), account: accountName(z) }),
  }),
};

const secretName = (z: Zod) => z.string().min(1).max(256);

export const secrets = {
  list: member('GET /v1/secrets', 'The names of the secrets in the vault.', {
    output: type<readonly string[]>(),
  }),
  set: member('PUT /v1/secrets', 'Puts a secret into the vault.', {
    input: (z) => ({ name: secretName(z), value: z.string().min(1).max(65_536) }),
  }),
  remove: member('POST /v1/secrets/remove', 'Deletes a secret.', { input: (z) => ({ name: secretName(z) }) }),
  rotate: owner(
    'POST /v1/secrets/rotate',
    'Re-encrypts every secret with a new key, and optionally moves the vault key.',
    {
      input: (z) => ({
        to: z.enum(['keyring', 'passphrase', 'environment', 'file']).exactOptional(),
        passphrase: passphrase(z).exactOptional(),
      }),
      output: type<RotateOutcome>(),
    },
  ),
  unlock: owner(
    'POST /v1/secrets/unlock',
    'Opens a vault that is locked with a passphrase, until the hub stops.',
    { input: (z) => ({ passphrase: passphrase(z) }) },
  ),
  hide: local('Masks secrets in text for a model.', {
    input: type<{ readonly texts: readonly string[] }>(),
    output: type<readonly string[]>(),
  }),
};
