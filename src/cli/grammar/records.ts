import { Option } from 'commander';
import { groups, lineCount, pageNumber, type Grammar } from './words.ts';

/** audit and results. */
export function addRecordCommands({ program, onHub }: Grammar): void {
  program.commandsGroup(groups.look);
  const audit = program
    .command('audit')
    .description('Every call that was asked for: by whom, what decided, how it ended. Also: verify, on, off.')
    .option('--server <server>', 'only of this server')
    .option('--tool <tool>', 'only of this tool')
    .option('--since <when>', 'a span such as 2h or 7d, or a date')
    .addOption(
      new Option('--outcome <outcome>', 'only those that ended so').choices([
        'ok',
        'tool_error',
        'failed',
        'timed_out',
        'cancelled',
        'refused',
        'unknown',
      ]),
    )
    .option('-n, --limit <count>', 'how many', lineCount)
    .option('--export <file>', 'write all of them into a new file, or - for standard output')
    .addOption(new Option('--format <format>', 'of the export').choices(['jsonl', 'csv']).default('jsonl'))
    .action(onHub(async () => (await import('../commands/audit.ts')).audit, []));
  audit
    .command('verify')
    .description('Whether a record was changed, moved or taken away. Exit 1 when one was.')
    .action(onHub(async () => (await import('../commands/audit.ts')).verifyAudit));
  for (const position of ['on', 'off'] as const) {
    audit
      .command(position)
      .description(
        position === 'on'
          ? 'Record what is in the calls of a server again.'
          : 'Record only that a server was called, not with what.',
      )
      .argument('<server>')
      .action(
        onHub(async () => (await import('../commands/audit.ts')).setAudit, ['server'], {
          recorded: position === 'on',
        }),
      );
  }
  program
    .command('results')
    .description('Large results that are kept; with an id: what is in one.')
    .argument('[id]')
    .option('--page <number>', 'one page of its text', pageNumber)
    .option('--grep <re>', 'the lines that match a regular expression (RE2)')
    .option('--path <jsonpath>', 'what a JSONPath finds')
    .option('--rm', 'delete it')
    .action(onHub(async () => (await import('../commands/results.ts')).results, ['id']));
}
