/** Fixture MCP servers over stdio: `node test/servers/stdio.ts <behavior> [key=value…]`. */
import { enableCompileCache } from 'node:module';
import { parseParams } from './params.ts';

// Tests start hundreds of these processes: compiled once, each starts in half the time.
enableCompileCache();
const { behaviors } = await import('./stdio/behaviors.ts');

const [name = '', ...words] = process.argv.slice(2);
const behave = behaviors[name];
if (!behave) throw new Error(`There is no behavior “${name}”: ${Object.keys(behaviors).join(', ')}.`);
await behave(parseParams(words));
