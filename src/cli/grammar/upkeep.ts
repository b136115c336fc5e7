import { groups, type Grammar } from './words.ts';

/** doctor, backup, restore and types. */
export function addUpkeepCommands({ program, act, actOnHub }: Grammar): void {
  program.commandsGroup(groups.upkeep);
  program
    .command('doctor')
    .description('Find what is wrong, from cause to effect, and say what to do.')
    .argument('[server]')
    .option('--live', 'start each server and ask it for one safe read')
    .option('--failed', 'look only at servers that have failed')
    .option('--fix', 'do what can be done automatically')
    .option('--copy', 'print a summary to paste into a report, without anything private')
    .action(async (server: string | undefined, flags: DoctorFlags) => {
      // A hub that does not start is the first thing to look at, so that none is asked for here.
      await act(async (session) => {
        const { doctorAnyhow } = await import('../commands/doctor.ts');
        return await doctorAnyhow({ server, ...flags, version: program.version() ?? '' }, session);
      });
    });
  program
    .command('backup')
    .description('Write servers, profiles, grants, pins and rules into one file.')
    .argument('<file>', '- is standard output')
    .option('--secrets', 'secrets too, sealed under a passphrase')
    .option('--force', 'overwrite the file if there is one')
    .action(async (file: string, flags: { readonly secrets?: boolean; readonly force?: boolean }) => {
      await actOnHub(async (hub, session) =>
        (await import('../commands/backup.ts')).backup(hub, { file, ...flags }, session),
      );
    });
  program
    .command('restore')
    .description('Bring back what a backup holds.')
    .argument('<file>', '- is standard input')
    .option('--replace', 'also what is here already under the same name')
    .option('-y, --yes', 'without asking')
    .action(async (file: string, flags: { readonly replace?: boolean; readonly yes?: boolean }) => {
      await actOnHub(async (hub, session) =>
        (await import('../commands/restore.ts')).restore(hub, { file, ...flags }, session),
      );
    });
  program
    .command('types')
    .description('Write TypeScript for the tools: a typed client.')
    .argument('[server]')
    .option('-o, --output <file>', 'write it there, such as tools.d.ts')
    .action(async (server: string | undefined, flags: { readonly output?: string }) => {
      await actOnHub(async (hub, session) =>
        (await import('../commands/types.ts')).types(hub, { server, ...flags }, session),
      );
    });
}

export interface DoctorFlags {
  readonly live?: boolean;
  readonly failed?: boolean;
  readonly fix?: boolean;
  readonly copy?: boolean;
}
