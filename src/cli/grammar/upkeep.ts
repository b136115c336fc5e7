import { Option } from 'commander';
import type { HubSession } from '../session.ts';
import { groups, lineCount, wholeNumber, type Grammar } from './words.ts';

export function addUpkeepCommands({ program, offHub, onHub }: Grammar): void {
  program.commandsGroup(groups.upkeep);
  program
    .command('doctor [server]')
    .description('Find problems and show how to fix them.')
    .option('--live', 'start each server and make one safe read')
    .option('--failed', 'check only failed servers')
    .option('--fix', 'fix what can be fixed automatically')
    .option('--copy', 'print a summary for a bug report, without private data')
    .action(
      offHub(async () => (await import('../commands/doctor.ts')).doctorAnyhow, ['server'], {
        version: program.version() ?? '',
      }),
    );
  program
    .command('backup')
    .description('Back up servers, profiles, grants, pins and rules to a file.')
    .argument('<file>', '- for standard output')
    .option('--secrets', 'include secrets, encrypted with a passphrase')
    .option('--force', 'overwrite an existing file')
    .action(onHub(async () => (await import('../commands/backup.ts')).backup, ['file']));
  program
    .command('restore')
    .description('Restore a backup.')
    .argument('<file>', '- for standard input')
    .option('--replace', 'also replace existing items of the same name')
    .option('-y, --yes', 'skip confirmation')
    .action(onHub(async () => (await import('../commands/backup.ts')).restore, ['file']));
  program
    .command('types [server]')
    .description('Generate TypeScript types and a typed client for the tools.')
    .option('-o, --output <file>', 'output file, such as tools.d.ts')
    .action(onHub(async () => (await import('../commands/types.ts')).types, ['server']));
}

const OUTCOMES = ['ok', 'tool_error', 'failed', 'timed_out', 'cancelled', 'refused', 'unknown'] as const;

export function addRecordCommands({ program, onHub }: Grammar): void {
  program.commandsGroup(groups.look);
  const audit = program
    .command('audit')
    .description('Show the audit log: who called what, what decided, how it ended. Also: verify, on, off.')
    .option('--server <server>', 'only calls to this server')
    .option('--tool <tool>', 'only calls of this tool')
    .option('--since <when>', 'a duration such as 2h or 7d, or a date')
    .addOption(new Option('--outcome <outcome>', 'only calls with this outcome').choices(OUTCOMES))
    .option('-n, --limit <count>', 'number of records', lineCount)
    .option('--export <file>', 'export to a new file, or - for standard output')
    .addOption(new Option('--format <format>', 'export format').choices(['jsonl', 'csv']).default('jsonl'))
    .action(onHub(async () => (await import('../commands/audit.ts')).audit, []));
  audit
    .command('verify')
    .description('Check that no record was changed, moved or removed. Exits 1 if one was.')
    .action(onHub(async () => (await import('../commands/audit.ts')).verifyAudit));
  for (const position of ['on', 'off'] as const)
    audit
      .command(position)
      .description(
        position === 'on'
          ? 'Record the arguments of calls to a server.'
          : 'Record calls to a server without their arguments.',
      )
      .argument('<server>')
      .action(
        onHub(async () => (await import('../commands/audit.ts')).setAudit, ['server'], {
          recorded: position === 'on',
        }),
      );
  const results = program
    .command('results [id]')
    .description('List stored large results; with an id, show one. Also: clear.')
    .option('--page <number>', 'show this page', page)
    .option('--grep <re>', 'show lines that match a regular expression (RE2)')
    .option('--path <jsonpath>', 'show what a JSONPath selects')
    .option('--rm', 'delete the result')
    .action(onHub(async () => (await import('../commands/results.ts')).results, ['id']));
  results
    .command('clear')
    .description('Delete all stored results.')
    .addHelpText('after', '\nExamples:\n  plug results clear')
    .action(
      onHub(async () => {
        const { counted } = await import('../render/text.ts');
        return async ({ hub, out }: HubSession) => {
          const { removed } = await hub.results.clear();
          if (!out.document({ removed })) out.line(`${counted(removed.length, 'result')} deleted.`);
        };
      }),
    );
}

function page(value: string): number {
  return wholeNumber(value, 1, 'a page from 1.', Number.MAX_SAFE_INTEGER);
}
