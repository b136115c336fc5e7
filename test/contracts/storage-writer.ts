import { once } from 'node:events';
import { writeSync } from 'node:fs';
import { flushCompileCache } from 'node:module';
import { defineServer } from '../../src/servers/definition.ts';
import { openStorage, type StorageOptions } from '../../src/storage/open.ts';

// A process of its own that writes rows and acknowledges each on a line, as fast as it can.
// Arguments: the storage's options as JSON, the prefix of the rows' names, how many.
// It opens the storage when its input ends, with the code already loaded: so a test can let
// several processes open at the same moment.
const [options = '', prefix = '', count = ''] = process.argv.slice(2);

await Promise.all([import('../../src/storage/sqlite/open.ts'), import('../../src/storage/postgres/open.ts')]);
// One that is killed would never write what it compiled, and the next would compile it again.
flushCompileCache();
writeSync(1, 'loaded\n');
process.stdin.resume();
await once(process.stdin, 'end');
writeSync(1, 'opening\n');
await using storage = await openStorage(JSON.parse(options) as StorageOptions);
for (let index = 0; index < Number(count); index += 1) {
  const name = `${prefix}-${index}`;
  await storage.servers.putServer('local', defineServer({ id: name, endpoint: endpointOf(name) }));
  await storage.connections.appendEvent('local', {
    id: name,
    server: prefix,
    kind: 'CONNECTED',
    by: 'SYSTEM',
    at: index,
    reason: 'written by a test',
    state: 'ready',
  });
  writeSync(1, `${name}\n`);
}

function endpointOf(name: string): { kind: 'stdio'; command: string; args: string[]; env: {} } {
  return { kind: 'stdio', command: name, args: ['x'.repeat(500)], env: {} };
}
