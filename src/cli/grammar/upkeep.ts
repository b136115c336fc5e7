import { groups, type Grammar } from './words.ts';

/** doctor, backup, restore and types. */
export function addUpkeepCommands({ program, offHub, onHub }: Grammar): void {
  program.commandsGroup(groups.upkeep);
  program
    .command('doctor')
    .description('Find what is wrong, from cause to effect, and say what to do.')
    .argument('[server]')
    .option('--live', 'start each server and ask it for one safe read')
    .option('--failed', 'look only at servers that have failed')
    .option('--fix', 'do what can be done automatically')
    .option('--copy', 'print a summary to paste into a report, without anything private')
    .action(
      offHub(async () => (await import('../commands/doctor.ts')).doctorAnyhow, ['server'], {
        version: program.version() ?? '',
      }),
    );
  program
    .command('backup')
    .description('Write servers, profiles, grants, pins and rules into one file.')
    .argument('<file>', '- is standard output')
    .option('--secrets', 'secrets too, sealed under a passphrase')
    .option('--force', 'overwrite the file if there is one')
    .action(onHub(async () => (await import('../commands/backup.ts')).backup, ['file']));
  program
    .command('restore')
    .description('Bring back what a backup holds.')
    .argument('<file>', '- is standard input')
    .option('--replace', 'also what is here already under the same name')
    .option('-y, --yes', 'without asking')
    .action(onHub(async () => (await import('../commands/restore.ts')).restore, ['file']));
  program
    .command('types')
    .description('Write TypeScript for the tools: a typed client.')
    .argument('[server]')
    .option('-o, --output <file>', 'write it there, such as tools.d.ts')
    .action(onHub(async () => (await import('../commands/types.ts')).types, ['server']));
}
