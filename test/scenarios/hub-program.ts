/**
 * A program that runs a hub: `node test/scenarios/hub-program.ts FOLDER COMMAND ARGS…`. It starts the
 * command as a server, prints its process id, and then does nothing until it is killed.
 */
import { openHub } from '../../src/hub/open-hub.ts';
import { defineServer } from '../../src/servers/definition.ts';

const [folder = '', command = '', ...args] = process.argv.slice(2);
const hub = await openHub({
  paths: { config: `${folder}/config`, data: folder, state: folder },
  cwd: folder,
  env: { PATH: process.env['PATH'] },
  version: '0.1.0',
  storage: { kind: 'sqlite', file: `${folder}/plug.db` },
});
const { server } = await hub.servers.add({
  definition: defineServer({ id: 'one', endpoint: { kind: 'stdio', command, args, env: {} } }),
});
console.log(JSON.stringify({ pid: server.process?.pid }));
setInterval(() => undefined, 60_000);
