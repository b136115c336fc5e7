import { Option } from 'commander';
import { collect, groups, type Grammar } from './words.ts';

const SCOPES = ['session', 'tool', 'reads', 'arguments'] as const;

export function addPermissionCommands(grammar: Grammar): void {
  const { program, onHub } = grammar;
  program.commandsGroup(groups.permissions);
  program
    .command('trust [server...]')
    .description('Let what reads on a server run without asking; alone: what is trusted, and what waits.')
    .option('--session', 'only until the hub stops')
    .option('-y, --yes', 'do not ask')
    .action(onHub(async () => (await import('../commands/trust.ts')).trust, ['names']));
  program
    .command('untrust <server...>')
    .description('Take trust back: every call asks again.')
    .action(onHub(async () => (await import('../commands/trust.ts')).untrust, ['names']));
  addGrantCommands(grammar);
  addApprovalCommands(grammar);
  addRuleCommands(grammar);
}

function addGrantCommands({ program, onHub }: Grammar): void {
  const grants = program.command('grants').description('What may run without asking: list, add, revoke.');
  grants
    .command('list [server]', { isDefault: true })
    .alias('ls')
    .description('Every grant in words, and whether it still holds.')
    .action(onHub(async () => (await import('../commands/grants.ts')).listGrants, ['server']));
  grants
    .command('add <server/tool>')
    .description('Let a tool run without asking; a server alone means all its reads.')
    .option('--args <path=glob>', 'only where this argument fits (repeatable; a JSON object too)', collect)
    .option('--until <date>', 'a date such as 2026-12-01, or a span such as 2h or 30d')
    .option('--session', 'only until the hub stops')
    .option('--once', 'for one call')
    .option('--account <name>', 'for calls as this account; else as the default one')
    .addOption(new Option('--args-hash <hash>', 'with --once: for exactly these arguments').hideHelp())
    .action(onHub(async () => (await import('../commands/grants.ts')).addGrant, ['tool']));
  grants
    .command('revoke <id...>')
    .alias('rm')
    .description('Take grants back.')
    .action(onHub(async () => (await import('../commands/grants.ts')).revokeGrants, ['ids']));
}

const answer = async (): Promise<typeof import('../commands/approvals.ts').answer> =>
  (await import('../commands/approvals.ts')).answer;

function addApprovalCommands({ program, onHub }: Grammar): void {
  program
    .command('approvals [id]')
    .description('The calls that wait for a person; with an id: all of one.')
    .action(onHub(async () => (await import('../commands/approvals.ts')).approvals, ['id']));
  program
    .command('approve <id>')
    .description('Let a call that waits run.')
    .addOption(new Option('--remember <scope>', 'and do not ask again for this').choices(SCOPES))
    .option('--where <path=glob>', 'with --remember arguments: which (repeatable)', collect)
    .option('--args <json>', 'run with these arguments instead')
    .option('--all', 'everything that waits together with it')
    .action(onHub(answer, ['id'], { effect: 'allow' }));
  program
    .command('deny <id>')
    .description('Deny a pending call. The note is sent to the caller.')
    .option('--note <text>', 'why, for the model that asked')
    .option('--all', 'everything that waits together with it')
    .action(onHub(answer, ['id'], { effect: 'deny' }));
}

function addRuleCommands({ program, onHub }: Grammar): void {
  const rules = program
    .command('rules')
    .description('Rules over calls and data, and what happens where none decides. Also: check, default.')
    .action(onHub(async () => (await import('../commands/rules.ts')).rules));
  rules
    .command('check [file]')
    .description('Say what is wrong with a rules file; without one: with the file in force.')
    .action(onHub(async () => (await import('../commands/rules.ts')).checkRules, ['file']));
  rules
    .command('default')
    .description('Change what happens where no rule, grant or trust decides.')
    .argument('<place>', 'connect, list, call.read, call.write, call.destructive or call.unknown')
    .argument('<effect>', 'allow, ask or deny')
    .action(onHub(async () => (await import('../commands/rules.ts')).setDefault, ['place', 'effect']));
}
