import { groups, lineCount, portNumber, secondsToMs, type Grammar } from './words.ts';

/** The page, status, wait, logs, events, and the hub itself. */
export function addHubCommands({ program, offHub, onHub }: Grammar): void {
  program.commandsGroup(groups.look);
  program
    .command('open')
    .description('Open the page in your browser.')
    .option('--print', 'print the link instead; it is good once, for two minutes')
    .action(offHub(async () => (await import('../commands/open.ts')).openPage, []));
  program
    .command('status')
    .description('One line; then each server that needs you. With a name: all about that server.')
    .argument('[server]')
    .action(onHub(async () => (await import('../commands/status.ts')).status, ['server']));
  program
    .command('wait')
    .description('Start servers and return when each is ready or has failed.')
    .argument('[server...]')
    .option('--timeout <seconds>', 'give up after this long', secondsToMs)
    .action(onHub(async () => (await import('../commands/wait.ts')).wait, ['names']));
  program
    .command('logs')
    .description('What servers wrote to stderr; without a name, with -f: all of them.')
    .argument('[server...]')
    .option('-n, --lines <count>', 'how many of the last lines', lineCount, 200)
    .option('-f, --follow', 'go on from there; with --json one record a line')
    .action(onHub(async () => (await import('../commands/logs.ts')).logs, ['names']));
  program
    .command('events')
    .description('What happened to servers.')
    .argument('[server]')
    .option('-n, --lines <count>', 'how many of the last events', lineCount, 50)
    .option('-f, --follow', 'go on from now; with --json one record a line')
    .action(onHub(async () => (await import('../commands/events.ts')).events, ['server']));
  program.commandsGroup(groups.hub);
  const hub = program
    .command('hub')
    .description('The process that owns the servers: start, stop, restart, status.');
  hub
    .command('start')
    .description('Start it in the background.')
    .option('--foreground', 'run it here, until Ctrl-C')
    .option('--port <number>', 'listen on this port (with --foreground)', portNumber)
    .action(offHub(async () => (await import('../commands/hub.ts')).startHub, []));
  hub
    .command('stop')
    .description('Stop it and every server it started.')
    .action(offHub(async () => (await import('../commands/hub.ts')).stopHub));
  hub
    .command('restart')
    .description('Stop it and start it in the background.')
    .action(offHub(async () => (await import('../commands/hub.ts')).restartHub));
  hub
    .command('status')
    .description('Whether it runs, and where.')
    .action(offHub(async () => (await import('../commands/hub.ts')).hubStatus));
}
