import { Option } from 'commander';
import { collect, groups, type Grammar } from './words.ts';

const SCOPES = ['session', 'tool', 'reads', 'arguments'] as const;

export function addPermissionCommands(grammar: Grammar): void {
  const { program, onHub } = grammar;
  program.commandsGroup(groups.permissions);
  program
    .command('trust [server...]')
    .description(
      'Trust a server: its read-only tools run without asking. Without a name, list trusted servers.',
    )
    .option('--session', 'until the hub stops')
    .option('-y, --yes', 'skip confirmation')
    .action(onHub(async () => (await import('../commands/trust.ts')).trust, ['names']));
  program
    .command('untrust <server...>')
    .description('Stop trusting a server: every call asks first.')
    .action(onHub(async () => (await import('../commands/trust.ts')).untrust, ['names']));
  addGrantCommands(grammar);
  addApprovalCommands(grammar);
  addRuleCommands(grammar);
}

function addGrantCommands({ program, onHub }: Grammar): void {
  const grants = program
    .command('grants')
    .description('Manage grants, which let tools run without asking: list, add, revoke.');
  grants
    .command('list [server]', { isDefault: true })
    .alias('ls')
    .description('List grants and whether each still applies.')
    .action(onHub(async () => (await import('../commands/grants.ts')).listGrants, ['server']));
  grants
    .command('add <server/tool>')
    .description('Let a tool run without asking; a server name alone grants its read-only tools.')
    .option('--args <path=glob>', 'only when this argument matches (repeatable; also a JSON object)', collect)
    .option('--until <date>', 'a date such as 2026-12-01, or a duration such as 2h or 30d')
    .option('--session', 'until the hub stops')
    .option('--once', 'for one call only')
    .option('--account <name>', 'for calls as this account; default: the default account')
    .addOption(new Option('--args-hash <hash>', 'with --once: for exactly these arguments').hideHelp())
    .action(onHub(async () => (await import('../commands/grants.ts')).addGrant, ['tool']));
  grants
    .command('revoke <id...>')
    .alias('rm')
    .description('Revoke grants.')
    .action(onHub(async () => (await import('../commands/grants.ts')).revokeGrants, ['ids']));
}

const answer = async (): Promise<typeof import('../commands/approvals.ts').answer> =>
  (await import('../commands/approvals.ts')).answer;

function addApprovalCommands({ program, onHub }: Grammar): void {
  program
    .command('approvals [id]')
    .description('List pending approvals; with an id, show details.')
    .action(onHub(async () => (await import('../commands/approvals.ts')).approvals, ['id']));
  program
    .command('approve <id>')
    .description('Approve a pending call.')
    .addOption(new Option('--remember <scope>', 'remember the answer').choices(SCOPES))
    .option('--where <path=glob>', 'arguments to match, with --remember arguments (repeatable)', collect)
    .option('--args <json>', 'run with these arguments instead')
    .option('--all', 'all calls of the same batch')
    .action(onHub(answer, ['id'], { effect: 'allow' }));
  program
    .command('deny <id>')
    .description('Deny a pending call. The note is sent to the caller.')
    .option('--note <text>', 'reason, sent to the caller')
    .option('--all', 'all calls of the same batch')
    .action(onHub(answer, ['id'], { effect: 'deny' }));
}

function addRuleCommands({ program, onHub }: Grammar): void {
  const rules = program
    .command('rules')
    .description('Show rules and defaults. Also: check, default.')
    .action(onHub(async () => (await import('../commands/rules.ts')).rules));
  rules
    .command('check [file]')
    .description('Check a rules file; default: the one in use.')
    .action(onHub(async () => (await import('../commands/rules.ts')).checkRules, ['file']));
  rules
    .command('default')
    .description('Change a default: what happens when no rule, grant or trust applies.')
    .argument('<place>', 'connect, list, call.read, call.write, call.destructive or call.unknown')
    .argument('<effect>', 'allow, ask or deny')
    .action(onHub(async () => (await import('../commands/rules.ts')).setDefault, ['place', 'effect']));
}
