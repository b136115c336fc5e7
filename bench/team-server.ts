/** The server that is called, in a process of its own: prints where it is. */
import { startCountingServer } from '../test/team/counting-server.ts';

const server = await startCountingServer();
console.log(server.url);
process.stdin.resume().once('end', () => process.exit());
