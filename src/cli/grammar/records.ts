import { Option } from 'commander';
import { groups, lineCount, pageNumber, type Grammar } from './words.ts';

interface AuditFlags {
  readonly server?: string;
  readonly tool?: string;
  readonly since?: string;
  readonly outcome?: 'ok' | 'tool_error' | 'failed' | 'timed_out' | 'cancelled' | 'refused';
  readonly limit?: number;
  readonly export?: string;
  readonly format: 'jsonl' | 'csv';
}

/** audit and results. */
export function addRecordCommands({ program, actOnHub }: Grammar): void {
  program.commandsGroup(groups.look);
  const audit = program
    .command('audit')
    .description('Every call that was asked for: by whom, what decided, how it ended. Also: on, off.')
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
      ]),
    )
    .option('-n, --limit <count>', 'how many', lineCount)
    .option('--export <file>', 'write all of them into a new file, or - for standard output')
    .addOption(new Option('--format <format>', 'of the export').choices(['jsonl', 'csv']).default('jsonl'))
    .action(async ({ server, tool, since, outcome, limit, export: to, format }: AuditFlags) => {
      await actOnHub(async (hub, session) => {
        const query = { server, tool, since, outcome, limit };
        if (to === undefined) return await (await import('../commands/audit.ts')).audit(hub, query, session);
        const { exportAudit } = await import('../commands/audit-export.ts');
        return await exportAudit(hub, { ...query, to, format }, session);
      });
    });
  for (const position of ['on', 'off'] as const) {
    audit
      .command(position)
      .description(
        position === 'on' ? 'Record the calls of a server again.' : 'Do not record the calls of a server.',
      )
      .argument('<server>')
      .action(async (server: string) => {
        await actOnHub(async (hub, session) =>
          (await import('../commands/audit.ts')).setAudit(
            hub,
            { server, recorded: position === 'on' },
            session,
          ),
        );
      });
  }
  program
    .command('results')
    .description('Large results that are kept; with an id: what is in one.')
    .argument('[id]')
    .option('--page <number>', 'one page of its text', pageNumber)
    .option('--grep <re>', 'the lines that match a regular expression (RE2)')
    .option('--path <jsonpath>', 'what a JSONPath finds')
    .option('--rm', 'delete it')
    .action(async (id: string | undefined, flags: ResultFlags) => {
      const { page, grep, path, rm: remove = false } = flags;
      await actOnHub(async (hub, session) =>
        (await import('../commands/results.ts')).results(hub, { id, page, grep, path, remove }, session),
      );
    });
}

interface ResultFlags {
  readonly page?: number;
  readonly grep?: string;
  readonly path?: string;
  readonly rm?: boolean;
}
