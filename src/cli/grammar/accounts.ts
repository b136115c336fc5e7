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
      'Sign in, in a browser; for a server with keys, give its key. This is what plug auth SERVER does.',
    )
    .option('--account <name>', 'one of several accounts at the same server')
    .option('--client-id <id>', 'of a program that you have registered there yourself')
    .option('--client-secret', 'that program has a secret: asked for, or the first line on standard input')
    .option('--callback-port <number>', 'of the redirect address that you registered', callbackPort)
    .option('--no-browser', 'only print the address')
    .action(onHub(async () => (await import('../commands/auth.ts')).auth, ['server']));
  auth
    .command('list [server]')
    .alias('ls')
    .description('Who you are at each server.')
    .action(onHub(async () => (await import('../commands/auth.ts')).listAccounts, ['server']));
  auth
    .command('logout <server>')
    .description('Forget the tokens, and revoke them where the server offers it.')
    .option('--account <name>', 'which; else the default one')
    .action(onHub(async () => (await import('../commands/auth.ts')).logOut, ['server']));
  auth
    .command('default <server> <account>')
    .description('The account that calls use.')
    .action(onHub(async () => (await import('../commands/auth.ts')).chooseAccount, ['server', 'account']));
  addSecretCommands(grammar);
}

function addSecretCommands({ program, onHub }: Grammar): void {
  const secrets = program.command('secrets').description('Keys in the vault: set, list, rm, rotate, unlock.');
  secrets
    .command('set')
    .description('Put a secret in, typed unseen or from standard input.')
    .usage('[options] <name>')
    .argument('<name>', 'such as github/GITHUB_TOKEN, to be used as ${vault:github/GITHUB_TOKEN}')
    // A value typed here is refused with a reason, instead of with a grammar lesson.
    .argument('[extra...]')
    .action(onHub(async () => (await import('../commands/secrets.ts')).setSecret, ['name', 'extra']));
  secrets
    .command('list')
    .alias('ls')
    .description('Names, never values.')
    .action(onHub(async () => (await import('../commands/secrets.ts')).listSecrets));
  secrets
    .command('rm <name...>')
    .alias('remove')
    .description('Delete secrets for good.')
    .option('-y, --yes', 'do not ask')
    .action(onHub(async () => (await import('../commands/secrets.ts')).removeSecrets, ['names']));
  secrets
    .command('rotate')
    .description('Seal everything anew under a new key. Nothing stops meanwhile.')
    .addOption(new Option('--to <place>', 'move the key of the vault there, too').choices(KEY_PLACES))
    .action(onHub(async () => (await import('../commands/secrets.ts')).rotateSecrets, []));
  secrets
    .command('unlock')
    .description('Give the passphrase of the vault, typed unseen or from standard input.')
    .action(onHub(async () => (await import('../commands/secrets.ts')).unlockVault));
}

function callbackPort(value: string): number {
  return wholeNumber(value, 1, 'a port from 1 to 65535.', 65_535);
}

const KEY_PLACES = ['keyring', 'passphrase', 'environment', 'file'] as const;
