import { Option } from 'commander';
import type { HubSession } from '../session.ts';
import { groups, lineCount, wholeNumber, type Grammar } from './words.ts';

export function addUpkeepCommands({ program, offHub, onHub }: Grammar): void {
  program.commandsGroup(groups.upkeep);
  program
    .command('doctor [server]')
    .description('Find what is wrong, from cause to effect, and say what to do.')
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
    .action(onHub(async () => (await import('../commands/backup.ts')).restore, ['file']));
  program
    .command('types [server]')
    .description('Write TypeScript for the tools: a typed client.')
    .option('-o, --output <file>', 'write it there, such as tools.d.ts')
    .action(onHub(async () => (await import('../commands/types.ts')).types, ['server']));
}

const OUTCOMES = ['ok', 'tool_error', 'failed', 'timed_out', 'cancelled', 'refused', 'unknown'] as const;

export function addRecordCommands({ program, onHub }: Grammar): void {
  program.commandsGroup(groups.look);
  const audit = program
    .command('audit')
    .description('Every call that was asked for: by whom, what decided, how it ended. Also: verify, on, off.')
    .option('--server <server>', 'only of this server')
    .option('--tool <tool>', 'only of this tool')
    .option('--since <when>', 'a span such as 2h or 7d, or a date')
    .addOption(new Option('--outcome <outcome>', 'only those that ended so').choices(OUTCOMES))
    .option('-n, --limit <count>', 'how many', lineCount)
    .option('--export <file>', 'write all of them into a new file, or - for standard output')
    .addOption(new Option('--format <format>', 'of the export').choices(['jsonl', 'csv']).default('jsonl'))
    .action(onHub(async () => (await import('../commands/audit.ts')).audit, []));
  audit
    .command('verify')
    .description('Whether a record was changed, moved or taken away. Exit 1 when one was.')
    .action(onHub(async () => (await import('../commands/audit.ts')).verifyAudit));
  for (const position of ['on', 'off'] as const)
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
  const results = program
    .command('results [id]')
    .description('Large results that are kept; with an id: what is in one. Also: clear.')
    .option('--page <number>', 'one page of its text', page)
    .option('--grep <re>', 'the lines that match a regular expression (RE2)')
    .option('--path <jsonpath>', 'what a JSONPath finds')
    .option('--rm', 'delete it')
    .action(onHub(async () => (await import('../commands/results.ts')).results, ['id']));
  results
    .command('clear')
    .description('Delete every kept result.')
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
