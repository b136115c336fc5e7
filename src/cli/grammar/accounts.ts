import { Option } from 'commander';
import { groups, wholeNumber, type Grammar } from './words.ts';

export function addAccountCommands(grammar: Grammar): void {
  const { program, onHub } = grammar;
  program.commandsGroup(groups.accounts);
  const auth = program
    .command('auth')
    .description('Sign in to a server: plug auth SERVER. Also: list, logout, default.');
  auth
    .command('login [server]', { isDefault: true })
    .description(
      'Sign in with a browser, or enter the key of a server that uses keys. Same as plug auth SERVER.',
    )
    .option('--account <name>', 'account name, if you have several at the server')
    .option('--client-id <id>', 'client ID of an app that you registered there')
    .option('--client-secret', 'the app has a secret: prompted for, or read from standard input')
    .option('--callback-port <number>', 'port of the redirect URL that you registered', callbackPort)
    .option('--no-browser', 'print the URL instead of opening it')
    .action(onHub(async () => (await import('../commands/auth.ts')).auth, ['server']));
  auth
    .command('list [server]')
    .alias('ls')
    .description('List your accounts at each server.')
    .action(onHub(async () => (await import('../commands/auth.ts')).listAccounts, ['server']));
  auth
    .command('logout <server>')
    .description('Sign out: delete the tokens, and revoke them if the server supports it.')
    .option('--account <name>', 'account to sign out; default: the default account')
    .action(onHub(async () => (await import('../commands/auth.ts')).logOut, ['server']));
  auth
    .command('default <server> <account>')
    .description('Choose the account that calls use.')
    .action(onHub(async () => (await import('../commands/auth.ts')).chooseAccount, ['server', 'account']));
  addSecretCommands(grammar);
}

function addSecretCommands({ program, onHub }: Grammar): void {
  const secrets = program
    .command('secrets')
    .description('Manage secrets in the vault: set, list, rm, rotate, unlock.');
  secrets
    .command('set')
    .description('Save a secret, typed at a hidden prompt or read from standard input.')
    .usage('[options] <name>')
    .argument('<name>', 'such as github/GITHUB_TOKEN, to be used as ${vault:github/GITHUB_TOKEN}')
    // A value typed here is refused with a reason, instead of with a grammar lesson.
    .argument('[extra...]')
    .action(onHub(async () => (await import('../commands/secrets.ts')).setSecret, ['name', 'extra']));
  secrets
    .command('list')
    .alias('ls')
    .description('List the names of secrets, never their values.')
    .action(onHub(async () => (await import('../commands/secrets.ts')).listSecrets));
  secrets
    .command('rm <name...>')
    .alias('remove')
    .description('Permanently delete secrets.')
    .option('-y, --yes', 'skip confirmation')
    .action(onHub(async () => (await import('../commands/secrets.ts')).removeSecrets, ['names']));
  secrets
    .command('rotate')
    .description('Re-encrypt the vault with a new key, without downtime.')
    .addOption(new Option('--to <place>', 'also move the vault key there').choices(KEY_PLACES))
    .action(onHub(async () => (await import('../commands/secrets.ts')).rotateSecrets, []));
  secrets
    .command('unlock')
    .description(
      'Unlock the vault with its passphrase, typed at a hidden prompt or read from standard input.',
    )
    .action(onHub(async () => (await import('../commands/secrets.ts')).unlockVault));
}

function callbackPort(value: string): number {
  return wholeNumber(value, 1, 'a port from 1 to 65535.', 65_535);
}

const KEY_PLACES = ['keyring', 'passphrase', 'environment', 'file'] as const;
