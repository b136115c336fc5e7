import { wallOf, childrenOf } from './measure.ts';
import { openHubAt } from './product.ts';

/**
 * One fresh process that opens a hub on the given home, lists all tools, and then starts all
 * servers. Started several times by lists.ts: only the first list of a process counts.
 */
const [home = ''] = process.argv.slice(2);
let tools = 0;
let bytes = 0;

const openedAt = performance.now();
await using hub = await openHubAt(home);
const openMs = performance.now() - openedAt;
const listMs = await wallOf(async () => {
  const list = await hub.tools.list();
  tools = list.tools.length;
  bytes = JSON.stringify(list).length;
});
const processes = childrenOf(process.pid).length;
let started = 0;
const ensureMs = await wallOf(async () => {
  started = (await hub.servers.ensureStarted()).length;
});
process.stdout.write(JSON.stringify({ openMs, listMs, tools, bytes, processes, ensureMs, started }));
