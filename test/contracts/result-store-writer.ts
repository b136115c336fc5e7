import { writeSync } from 'node:fs';
import { flushCompileCache } from 'node:module';
import { openStorage, type StorageOptions } from '../../src/storage/open.ts';
import { resultOf } from './result-store-shape.ts';

// One that is killed would never write what it compiled, and the next would compile it again.
flushCompileCache();

// A process of its own that puts large results and acknowledges each on a line, as fast as it can,
// until it is killed. Arguments: the storage's options as JSON, the prefix of the results' ids.
const [options = '', prefix = ''] = process.argv.slice(2);
const storage = await openStorage(JSON.parse(options) as StorageOptions);
for (let index = 0; ; index += 1) {
  const id = `${prefix}-${index}`;
  const pieces = Array.from({ length: 8 }, (_, piece) => `${id} ${piece} `.padEnd(200_000, 'x'));
  writeSync(1, `putting ${id}\n`);
  await storage.results.putResult('local', resultOf({ id, pieces: pieces.length }), pieces);
  writeSync(1, `put ${id}\n`);
}
