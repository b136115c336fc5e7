import { Option } from 'commander';
import { collect, groups, type Grammar } from './words.ts';

type Part = Pick<Grammar, 'program' | 'actOnHub'>;

/** trust, untrust, grants, approvals, approve, deny, rules. */
export function addDecidingCommands({ program, actOnHub }: Grammar): void {
  program.commandsGroup(groups.deciding);
  program
    .command('trust')
    .description('Let what reads on a server run without asking; alone: what is trusted, and what waits.')
    .argument('[server...]')
    .option('--session', 'only until the hub stops')
    .option('-y, --yes', 'do not ask')
    .action(async (names: readonly string[], flags: { session?: boolean; yes?: boolean }) => {
      const { session: forSession = false, yes = false } = flags;
      await actOnHub(async (hub, session) =>
        (await import('../commands/trust.ts')).trust(hub, { names, session: forSession, yes }, session),
      );
    });
  program
    .command('untrust')
    .description('Take trust back: every call asks again.')
    .argument('<server...>')
    .action(async (names: readonly string[]) => {
      await actOnHub(async (hub, session) =>
        (await import('../commands/trust.ts')).untrust(hub, { names }, session),
      );
    });
  addGrantCommands({ program, actOnHub });
  addApprovalCommands({ program, actOnHub });
  addRuleCommands({ program, actOnHub });
}

interface GrantFlags {
  readonly args?: readonly string[];
  readonly until?: string;
  readonly session?: boolean;
  readonly once?: boolean;
  readonly argsHash?: string;
}

function addGrantCommands({ program, actOnHub }: Part): void {
  const grants = program.command('grants').description('What may run without asking: list, add, revoke.');
  grants
    .command('list', { isDefault: true })
    .alias('ls')
    .description('Every grant in words, and whether it still holds.')
    .argument('[server]')
    .action(async (server: string | undefined) => {
      await actOnHub(async (hub, session) =>
        (await import('../commands/grants.ts')).listGrants(hub, { server }, session),
      );
    });
  grants
    .command('add')
    .description('Let a tool run without asking; a server alone means all its reads.')
    .argument('<server/tool>')
    .option('--args <path=glob>', 'only where this argument fits (repeatable; a JSON object too)', collect)
    .option('--until <date>', 'a date such as 2026-12-01, or a span such as 2h or 30d')
    .option('--session', 'only until the hub stops')
    .option('--once', 'for one call')
    .addOption(new Option('--args-hash <hash>', 'with --once: for exactly these arguments').hideHelp())
    .action(async (tool: string, flags: GrantFlags) => {
      await actOnHub(async (hub, session) => {
        const { addGrant } = await import('../commands/grants.ts');
        const { args = [], until, session: forSession = false, once = false, argsHash } = flags;
        return await addGrant(hub, { tool, args, until, session: forSession, once, argsHash }, session);
      });
    });
  grants
    .command('revoke')
    .alias('rm')
    .description('Take grants back.')
    .argument('<id...>')
    .action(async (ids: readonly string[]) => {
      await actOnHub(async (hub, session) =>
        (await import('../commands/grants.ts')).revokeGrants(hub, { ids }, session),
      );
    });
}

interface ApproveFlags {
  readonly remember?: 'session' | 'tool' | 'reads' | 'arguments';
  readonly args?: string;
  readonly where?: readonly string[];
  readonly all?: boolean;
}

function addApprovalCommands({ program, actOnHub }: Part): void {
  program
    .command('approvals')
    .description('The calls that wait for a person; with an id: all of one.')
    .argument('[id]')
    .action(async (id: string | undefined) => {
      await actOnHub(async (hub, session) =>
        (await import('../commands/approvals.ts')).approvals(hub, { id }, session),
      );
    });
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
    .action(async (id: string, { remember, args, where, all = false }: ApproveFlags) => {
      await actOnHub(async (hub, session) => {
        const { answer } = await import('../commands/approvals.ts');
        return await answer(hub, { id, effect: 'allow', remember, args, where, all }, session);
      });
    });
  program
    .command('deny')
    .description('Refuse a call that waits; whoever asked is told the note.')
    .argument('<id>')
    .option('--note <text>', 'why, for the model that asked')
    .option('--all', 'everything that waits together with it')
    .action(async (id: string, { note, all = false }: { note?: string; all?: boolean }) => {
      await actOnHub(async (hub, session) => {
        const { answer } = await import('../commands/approvals.ts');
        return await answer(hub, { id, effect: 'deny', note, all }, session);
      });
    });
}

function addRuleCommands({ program, actOnHub }: Part): void {
  const rules = program
    .command('rules')
    .description('Rules over calls and data, and what happens where none decides. Also: check, default.')
    .action(async () => {
      await actOnHub(async (hub, session) => (await import('../commands/rules.ts')).rules(hub, session));
    });
  rules
    .command('check')
    .description('Say what is wrong with a rules file; without one: with the file in force.')
    .argument('[file]')
    .action(async (file: string | undefined) => {
      await actOnHub(async (hub, session) =>
        (await import('../commands/rules.ts')).checkRules(hub, { file }, session),
      );
    });
  rules
    .command('default')
    .description('Change what happens where no rule, grant or trust decides.')
    .argument('<place>', 'connect, list, call.read, call.write, call.destructive or call.unknown')
    .argument('<effect>', 'allow, ask or deny')
    .action(async (place: string, effect: string) => {
      await actOnHub(async (hub, session) =>
        (await import('../commands/rules.ts')).setDefault(hub, { place, effect }, session),
      );
    });
}
