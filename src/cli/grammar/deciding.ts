import { Option } from 'commander';
import { collect, groups, type Grammar } from './words.ts';

/** trust, untrust, grants, approvals, approve, deny, rules. */
export function addDecidingCommands(grammar: Grammar): void {
  const { program, onHub } = grammar;
  program.commandsGroup(groups.deciding);
  program
    .command('trust')
    .description('Let what reads on a server run without asking; alone: what is trusted, and what waits.')
    .argument('[server...]')
    .option('--session', 'only until the hub stops')
    .option('-y, --yes', 'do not ask')
    .action(onHub(async () => (await import('../commands/trust.ts')).trust, ['names']));
  program
    .command('untrust')
    .description('Take trust back: every call asks again.')
    .argument('<server...>')
    .action(onHub(async () => (await import('../commands/trust.ts')).untrust, ['names']));
  addGrantCommands(grammar);
  addApprovalCommands(grammar);
  addRuleCommands(grammar);
}

function addGrantCommands({ program, onHub }: Grammar): void {
  const grants = program.command('grants').description('What may run without asking: list, add, revoke.');
  grants
    .command('list', { isDefault: true })
    .alias('ls')
    .description('Every grant in words, and whether it still holds.')
    .argument('[server]')
    .action(onHub(async () => (await import('../commands/grants.ts')).listGrants, ['server']));
  grants
    .command('add')
    .description('Let a tool run without asking; a server alone means all its reads.')
    .argument('<server/tool>')
    .option('--args <path=glob>', 'only where this argument fits (repeatable; a JSON object too)', collect)
    .option('--until <date>', 'a date such as 2026-12-01, or a span such as 2h or 30d')
    .option('--session', 'only until the hub stops')
    .option('--once', 'for one call')
    .option('--account <name>', 'for calls as this account; else as the default one')
    .addOption(new Option('--args-hash <hash>', 'with --once: for exactly these arguments').hideHelp())
    .action(onHub(async () => (await import('../commands/grants.ts')).addGrant, ['tool']));
  grants
    .command('revoke')
    .alias('rm')
    .description('Take grants back.')
    .argument('<id...>')
    .action(onHub(async () => (await import('../commands/grants.ts')).revokeGrants, ['ids']));
}

function addApprovalCommands({ program, onHub }: Grammar): void {
  program
    .command('approvals')
    .description('The calls that wait for a person; with an id: all of one.')
    .argument('[id]')
    .action(onHub(async () => (await import('../commands/approvals.ts')).approvals, ['id']));
  program
    .command('approve')
    .description('Let a call that waits run.')
    .argument('<id>')
    .addOption(
      new Option('--remember <scope>', 'and do not ask again for this').choices([
        'session',
        'tool',
        'reads',
        'arguments',
      ]),
    )
    .option('--where <path=glob>', 'with --remember arguments: which (repeatable)', collect)
    .option('--args <json>', 'run with these arguments instead')
    .option('--all', 'everything that waits together with it')
    .action(
      onHub(async () => (await import('../commands/approvals.ts')).answer, ['id'], { effect: 'allow' }),
    );
  program
    .command('deny')
    .description('Refuse a call that waits; whoever asked is told the note.')
    .argument('<id>')
    .option('--note <text>', 'why, for the model that asked')
    .option('--all', 'everything that waits together with it')
    .action(onHub(async () => (await import('../commands/approvals.ts')).answer, ['id'], { effect: 'deny' }));
}

function addRuleCommands({ program, onHub }: Grammar): void {
  const rules = program
    .command('rules')
    .description('Rules over calls and data, and what happens where none decides. Also: check, default.')
    .action(onHub(async () => (await import('../commands/rules.ts')).rules));
  rules
    .command('check')
    .description('Say what is wrong with a rules file; without one: with the file in force.')
    .argument('[file]')
    .action(onHub(async () => (await import('../commands/rules.ts')).checkRules, ['file']));
  rules
    .command('default')
    .description('Change what happens where no rule, grant or trust decides.')
    .argument('<place>', 'connect, list, call.read, call.write, call.destructive or call.unknown')
    .argument('<effect>', 'allow, ask or deny')
    .action(onHub(async () => (await import('../commands/rules.ts')).setDefault, ['place', 'effect']));
}
