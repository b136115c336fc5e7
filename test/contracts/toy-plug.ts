/** `plug` on a hub without servers, in this process: `node test/contracts/toy-plug.ts COMMAND…`. */
import { runCli } from '../../src/cli/run.ts';
import { toyHub } from './toy-hub.ts';

const { hub } = toyHub();
const never = (): Promise<never> => Promise.reject(new Error('There is only this hub.'));
const stop = new AbortController();
process.once('SIGINT', () => stop.abort(new Error('interrupted')));
process.exitCode = await runCli({
  argv: process.argv.slice(2),
  env: { NO_COLOR: '1' },
  cwd: process.cwd(),
  version: '1.0.0',
  signal: stop.signal,
  hubs: {
    connect: () => Promise.resolve({ ...hub, [Symbol.asyncDispose]: () => Promise.resolve() }),
    start: never,
    run: never,
    running: () => Promise.resolve(undefined),
    find: () => Promise.resolve(undefined),
    openAddress: () => Promise.resolve(false),
    pageLink: () => Promise.reject(new Error('there is no page here')),
    stop: () => Promise.resolve(undefined),
  },
  stdin: () => process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
});
