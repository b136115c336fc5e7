import { InvalidArgumentError, Option } from 'commander';
import { groups, type Grammar } from './words.ts';

interface SignInFlags {
  readonly account?: string;
  readonly clientId?: string;
  readonly clientSecret?: boolean;
  readonly callbackPort?: number;
  readonly browser: boolean;
}

/** auth and secrets. */
export function addAccountCommands({ program, actOnHub }: Grammar): void {
  program.commandsGroup(groups.accounts);
  const auth = program
    .command('auth')
    .description('Sign in to a server: plug auth SERVER. Also: list, logout, default.');
  auth
    .command('login', { isDefault: true })
    .description('Sign in, in a browser. This is what plug auth SERVER does.')
    .argument('[server]')
    .option('--account <name>', 'one of several accounts at the same server')
    .option('--client-id <id>', 'of a program that you have registered there yourself')
    .option('--client-secret', 'that program has a secret: asked for, or the first line on standard input')
    .option('--callback-port <number>', 'of the redirect address that you registered', callbackPort)
    .option('--no-browser', 'only print the address')
    .action(async (server: string | undefined, flags: SignInFlags) => {
      await actOnHub(async (hub, session) => {
        if (server === undefined) {
          return await (await import('../commands/auth.ts')).listAccounts(hub, { server }, session);
        }
        const { signIn } = await import('../commands/auth-sign-in.ts');
        const { account, clientId, clientSecret = false, callbackPort: port, browser } = flags;
        const args = { server, account, clientId, clientSecret, callbackPort: port, browser };
        return await signIn(hub, args, session);
      });
    });
  auth
    .command('list')
    .alias('ls')
    .description('Who you are at each server.')
    .argument('[server]')
    .action(async (server: string | undefined) => {
      await actOnHub(async (hub, session) =>
        (await import('../commands/auth.ts')).listAccounts(hub, { server }, session),
      );
    });
  auth
    .command('logout')
    .description('Forget the tokens, and revoke them where the server offers it.')
    .argument('<server>')
    .option('--account <name>', 'which; else the default one')
    .action(async (server: string, { account }: { account?: string }) => {
      await actOnHub(async (hub, session) =>
        (await import('../commands/auth.ts')).logOut(hub, { server, account }, session),
      );
    });
  auth
    .command('default')
    .description('The account that calls use.')
    .argument('<server>')
    .argument('<account>')
    .action(async (server: string, account: string) => {
      await actOnHub(async (hub, session) =>
        (await import('../commands/auth.ts')).chooseAccount(hub, { server, account }, session),
      );
    });
  addSecretCommands({ program, actOnHub });
}

function addSecretCommands({ program, actOnHub }: Pick<Grammar, 'program' | 'actOnHub'>): void {
  const secrets = program.command('secrets').description('Keys in the vault: set, list, rm, rotate, unlock.');
  secrets
    .command('set')
    .description('Put a secret in, typed unseen or from standard input.')
    .usage('[options] <name>')
    .argument('<name>', 'such as github/GITHUB_TOKEN, to be used as ${vault:github/GITHUB_TOKEN}')
    // A value typed here is refused with a reason, instead of with a grammar lesson.
    .argument('[extra...]')
    .action(async (name: string, extra: readonly string[]) => {
      await actOnHub(async (hub, session) =>
        (await import('../commands/secrets.ts')).setSecret(hub, { name, extra }, session),
      );
    });
  secrets
    .command('list')
    .alias('ls')
    .description('Names, never values.')
    .action(async () => {
      await actOnHub(async (hub, session) =>
        (await import('../commands/secrets.ts')).listSecrets(hub, session),
      );
    });
  secrets
    .command('rm')
    .alias('remove')
    .description('Delete secrets for good.')
    .argument('<name...>')
    .option('-y, --yes', 'do not ask')
    .action(async (names: readonly string[], { yes = false }: { yes?: boolean }) => {
      await actOnHub(async (hub, session) =>
        (await import('../commands/secrets.ts')).removeSecrets(hub, { names, yes }, session),
      );
    });
  secrets
    .command('rotate')
    .description('Seal everything anew under a new key. Nothing stops meanwhile.')
    .addOption(new Option('--to <place>', 'move the key of the vault there, too').choices(KEY_PLACES))
    .action(async ({ to }: { to?: (typeof KEY_PLACES)[number] }) => {
      await actOnHub(async (hub, session) =>
        (await import('../commands/secrets-key.ts')).rotateSecrets(hub, { to }, session),
      );
    });
  secrets
    .command('unlock')
    .description('Give the passphrase of the vault, typed unseen or from standard input.')
    .action(async () => {
      await actOnHub(async (hub, session) =>
        (await import('../commands/secrets-key.ts')).unlockVault(hub, session),
      );
    });
}

function callbackPort(value: string): number {
  const port = Number(value);
  if (Number.isInteger(port) && port >= 1 && port <= 65_535) return port;
  throw new InvalidArgumentError('It takes a port from 1 to 65535.');
}

const KEY_PLACES = ['keyring', 'passphrase', 'environment', 'file'] as const;
