import { Argument } from 'commander';
import { PlugError } from '../../base/errors.ts';
import { withHub } from '../session.ts';
import { collect, collectList, groups, type Grammar } from './words.ts';

interface AddFlags {
  readonly env?: readonly string[];
  readonly header?: readonly string[];
  readonly cwd?: string;
  readonly transport?: string;
  readonly test: boolean;
  readonly replace?: boolean;
  readonly yes?: boolean;
  readonly name?: string;
  readonly remoteOnly?: boolean;
  readonly offline?: boolean;
}

/** add, list, enable, disable, remove, restart, stop, read-only, profile. */
export function addServerCommands({ program, argv, act, actOnHub }: Grammar): void {
  program.commandsGroup(groups.servers);
  program
    .command('add')
    .summary('plug in a server: anything that names one')
    .description('Plug in a server. The plan is shown, the server is tried, and saved only if that works.')
    .argument('[anything]', 'an address, a config, a link, a name, a file, a screenshot, or - to paste')
    .argument('[more...]', 'after a name: an address, or -- and a command. Else values: NEED=value')
    .option('--name <name>', 'what you will call it: a–z, 0–9, dot, dash, underscore')
    .option('-e, --env <K=V>', 'a variable for the command (repeatable)', collect)
    .option('-H, --header <K: V>', 'a header for the address (repeatable)', collect)
    .option('--cwd <dir>', 'the folder in which the command runs')
    .option('-t, --transport <kind>', 'http, sse or ws; found by itself when not given')
    .option('--no-test', 'save at once, without trying')
    .option('--replace', 'take the place of a server of the same name')
    .option('--remote-only', 'decline servers that would run on this machine')
    .option('--offline', 'ask no registry')
    .option('-y, --yes', 'accept the plan without a question')
    .action(async (first: string | undefined, more: readonly string[], flags: AddFlags) => {
      await act(async (session) => {
        const { name, env = [], header = [], cwd, transport, test, replace = false, yes = false } = flags;
        const { isRemoteOnly } = await import('../remote-only.ts');
        const remoteOnly = isRemoteOnly(flags.remoteOnly, session);
        const { wantsAnything } = await import('../anything.ts');
        const anything = await wantsAnything({ first, more, name, argv }, session);
        if (anything) {
          checkPlain(flags);
          const { addAnything } = await import('../commands/add-anything.ts');
          const { offline = false } = flags;
          const given = { ...anything, env, header, test, replace, yes, remoteOnly, offline };
          return await withHub(session, (hub) => addAnything(hub, given, session));
        }
        const { add, definitionOf } = await import('../commands/add.ts');
        const typed = { words: more, separated: argv.includes('--'), env, header, cwd, transport };
        // What was typed wrong is said before any hub is started for it.
        const definition = definitionOf(first ?? '', typed, session.cwd);
        return await withHub(session, (hub) =>
          add(hub, { definition, test, replace, yes, remoteOnly }, session),
        );
      });
    });
  program
    .command('list')
    .alias('ls')
    .description('Every server: its state, its tools, and what to do about it.')
    .action(async () => {
      await actOnHub(async (hub, session) => (await import('../commands/list.ts')).list(hub, session));
    });
  for (const to of ['enable', 'disable'] as const) {
    program
      .command(to)
      .description(to === 'enable' ? 'Switch servers on.' : 'Switch servers off, without editing a file.')
      .argument('<server...>')
      .action(async (names: readonly string[]) => {
        await actOnHub(async (hub, session) =>
          (await import('../commands/switch.ts')).switchServers(hub, { names, to }, session),
        );
      });
  }
  program
    .command('read-only')
    .description("Offer only a server's read tools, or all of them again.")
    .argument('<server>')
    .addArgument(new Argument('<on|off>').choices(['on', 'off']))
    .action(async (name: string, position: string) => {
      await actOnHub(async (hub, session) => {
        const { switchServers } = await import('../commands/switch.ts');
        return await switchServers(
          hub,
          { names: [name], to: position === 'on' ? 'read-only on' : 'read-only off' },
          session,
        );
      });
    });
  program
    .command('remove')
    .alias('rm')
    .description('Forget servers: definition, manifest and process.')
    .argument('<server...>')
    .option('-y, --yes', 'do not ask')
    .action(async (names: readonly string[], { yes = false }: { yes?: boolean }) => {
      await actOnHub(async (hub, session) =>
        (await import('../commands/remove.ts')).remove(hub, { names, yes }, session),
      );
    });
  program
    .command('restart')
    .description('Stop servers and start them anew.')
    .argument('[server...]')
    .option('--failed', 'all that have failed')
    .action(async (names: readonly string[], { failed = false }: { failed?: boolean }) => {
      await actOnHub(async (hub, session) =>
        (await import('../commands/restart.ts')).restart(hub, { names, failed }, session),
      );
    });
  program
    .command('stop')
    .description('Let servers sleep; the next call wakes them.')
    .argument('[server...]')
    .option('--all', 'all that run')
    .action(async (names: readonly string[], { all = false }: { all?: boolean }) => {
      await actOnHub(async (hub, session) =>
        (await import('../commands/stop.ts')).stop(hub, { names, all }, session),
      );
    });
  addProfileCommands({ program, actOnHub });
}

interface ProfileFlags {
  readonly servers?: readonly string[];
  readonly allow?: readonly string[];
  readonly deny?: readonly string[];
  readonly readOnly?: boolean;
}

function addProfileCommands({ program, actOnHub }: Pick<Grammar, 'program' | 'actOnHub'>): void {
  const profile = program
    .command('profile')
    .description('Named subsets of servers and tools: list, show, save, remove.');
  profile
    .command('list')
    .description('Every profile.')
    .action(async () => {
      await actOnHub(async (hub, session) =>
        (await import('../commands/profile.ts')).listProfiles(hub, session),
      );
    });
  profile
    .command('show')
    .description('What a profile holds, and the tools that it offers.')
    .argument('<name>')
    .action(async (name: string) => {
      await actOnHub(async (hub, session) =>
        (await import('../commands/profile.ts')).showProfile(hub, name, session),
      );
    });
  profile
    .command('save')
    .description('Make a profile, or replace it.')
    .argument('<name>')
    .option('--servers <globs>', 'servers, such as github,linear', collectList)
    .option('--allow <globs>', 'tools, such as github/get_*', collectList)
    .option('--deny <globs>', 'tools that are left out', collectList)
    .option('--read-only', 'read tools only')
    .action(async (name: string, { servers, allow, deny, readOnly = false }: ProfileFlags) => {
      await actOnHub(async (hub, session) => {
        const { saveProfile } = await import('../commands/profile.ts');
        return await saveProfile(hub, { name, servers, allow, deny, readOnly }, session);
      });
    });
  profile
    .command('remove')
    .description('Forget a profile.')
    .argument('<name>')
    .action(async (name: string) => {
      await actOnHub(async (hub, session) =>
        (await import('../commands/profile.ts')).removeProfile(hub, name, session),
      );
    });
}

/** A plan says itself where it runs and how it is reached. */
function checkPlain(given: Pick<AddFlags, 'cwd' | 'transport'>): void {
  const flag = (['cwd', 'transport'] as const).find((name) => given[name] !== undefined);
  if (flag === undefined) return;
  throw new PlugError('usage', `--${flag} goes with a name and a command or an address.`, {
    owner: 'you',
    next: `plug add NAME --${flag} … -- COMMAND, or plug add NAME URL`,
  });
}
