/**
 * Fixture MCP servers over HTTP: `node test/servers/http.ts <behavior> [key=value…]`. Listens on a
 * free loopback port (`port=` names one) and prints `{"url":"…"}`. A bad one behaves like `inner=`
 * (else legacy-stateful-sse) but for its one vice, which most have on one JSON-RPC method: `method=`,
 * else tools/call, `*` for every request. `GET /_stats` shows what arrived, `POST /_die` ends it all.
 */
import { enableCompileCache } from 'node:module';
import { parseParams } from './params.ts';

// Tests start hundreds of these processes: compiled once, each starts in half the time.
enableCompileCache();
const { bad, good } = await import('./http/behaviors.ts');
const { listen } = await import('./http/listener.ts');

const [name = '', ...words] = process.argv.slice(2);
const params = parseParams(words);
const inner = good[params.text('inner') ?? 'legacy-stateful-sse'];
const make = good[name] ?? (inner && bad[name]?.(inner));
if (!make) throw new Error(`There is no behavior “${name}”: ${Object.keys({ ...good, ...bad }).join(', ')}.`);
listen(make, params);
