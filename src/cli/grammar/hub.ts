import { groups, lineCount, portNumber, secondsToMs, type Grammar } from './words.ts';

/** The page, status, wait, logs, events, and the hub itself. */
export function addHubCommands({ program, act, actOnHub }: Grammar): void {
  program.commandsGroup(groups.look);
  program
    .command('open')
    .description('Open the page in your browser.')
    .option('--print', 'print the link instead; it is good once, for two minutes')
    .action(async ({ print = false }: { print?: boolean }) => {
      await act(async (session) => (await import('../commands/open.ts')).openPage({ print }, session));
    });
  program
    .command('status')
    .description('One line; then each server that needs you. With a name: all about that server.')
    .argument('[server]')
    .action(async (server: string | undefined) => {
      await actOnHub(async (hub, session) => {
        const { serverStatus, status } = await import('../commands/status.ts');
        return server === undefined ? await status(hub, session) : await serverStatus(hub, server, session);
      });
    });
  program
    .command('wait')
    .description('Start servers and return when each is ready or has failed.')
    .argument('[server...]')
    .option('--timeout <seconds>', 'give up after this long', secondsToMs)
    .action(async (names: readonly string[], { timeout: timeoutMs }: { timeout?: number }) => {
      await actOnHub(async (hub, session) =>
        (await import('../commands/wait.ts')).wait(hub, { names, timeoutMs }, session),
      );
    });
  program
    .command('logs')
    .description('What servers wrote to stderr; without a name, with -f: all of them.')
    .argument('[server...]')
    .option('-n, --lines <count>', 'how many of the last lines', lineCount, 200)
    .option('-f, --follow', 'go on from there; with --json one record a line')
    .action(async (names: readonly string[], { lines, follow = false }: LogFlags) => {
      await actOnHub(async (hub, session) => {
        if (follow)
          return await (
            await import('../commands/logs-follow.ts')
          ).followLogs(hub, { names, lines }, session);
        return await (await import('../commands/logs.ts')).logs(hub, { names, lines }, session);
      });
    });
  program
    .command('events')
    .description('What happened to servers.')
    .argument('[server]')
    .option('-n, --lines <count>', 'how many of the last events', lineCount, 50)
    .option('-f, --follow', 'go on from now; with --json one record a line')
    .action(async (server: string | undefined, flags: { lines: number; follow?: boolean }) => {
      await actOnHub(async (hub, session) => {
        const { events } = await import('../commands/events.ts');
        return await events(hub, { server, limit: flags.lines, follow: flags.follow ?? false }, session);
      });
    });
  program.commandsGroup(groups.hub);
  const hub = program
    .command('hub')
    .description('The process that owns the servers: start, stop, restart, status.');
  hub
    .command('start')
    .description('Start it in the background.')
    .option('--foreground', 'run it here, until Ctrl-C')
    .option('--port <number>', 'listen on this port (with --foreground)', portNumber)
    .action(async ({ foreground = false, port }: { foreground?: boolean; port?: number }) => {
      await act(async (session) => {
        const { runHub, startHub } = await import('../commands/hub.ts');
        return foreground ? await runHub({ port }, session) : await startHub(session);
      });
    });
  hub
    .command('stop')
    .description('Stop it and every server it started.')
    .action(async () => {
      await act(async (session) => (await import('../commands/hub.ts')).stopHub(session));
    });
  hub
    .command('restart')
    .description('Stop it and start it in the background.')
    .action(async () => {
      await act(async (session) => (await import('../commands/hub.ts')).restartHub(session));
    });
  hub
    .command('status')
    .description('Whether it runs, and where.')
    .action(async () => {
      await act(async (session) => (await import('../commands/hub.ts')).hubStatus(session));
    });
}

interface LogFlags {
  readonly lines: number;
  readonly follow?: boolean;
}
