/** Fixture MCP servers over stdio: `node test/servers/stdio.ts <behaviour> [key=value…]`. */
import { enableCompileCache } from 'node:module';
import { parseParams } from './params.ts';

// Tests start hundreds of these processes: compiled once, each starts in half the time.
enableCompileCache();
const { behaviours } = await import('./stdio/behaviours.ts');

const [name = '', ...words] = process.argv.slice(2);
const behave = behaviours[name];
if (!behave) throw new Error(`There is no behaviour “${name}”: ${Object.keys(behaviours).join(', ')}.`);
await behave(parseParams(words));
