/**
 * An MCP server that writes down each call before anything else: `node 06-counting-server.ts FILE`. What
 * stands in the file has reached it, whatever became of the hub. `n` names the call, `ms` is how long it takes.
 */
import { appendFileSync } from 'node:fs';
import { answerHandshake, readLines, refuseMethod, writeLine } from '../servers/stdio/lines.ts';

const [file = ''] = process.argv.slice(2);

const tools = (['get_one', 'create_one'] as const).map((name) => ({
  name,
  description: name === 'get_one' ? 'Gets one.' : 'Creates one.',
  inputSchema: { type: 'object' },
  annotations: { readOnlyHint: name === 'get_one', destructiveHint: false },
}));

readLines(
  (message) => {
    if (answerHandshake(message)) return;
    const { id, method, params = {} } = message;
    if (method === 'tools/list') return writeLine({ id, result: { tools } });
    if (method !== 'tools/call') return refuseMethod(message);
    const args = (params['arguments'] ?? {}) as { readonly n?: string; readonly ms?: number }; // as the tests call it
    appendFileSync(file, `${args.n}\n`);
    const answer = (): void => writeLine({ id, result: { content: [{ type: 'text', text: 'done' }] } });
    if (args.ms === undefined) answer();
    else setTimeout(answer, args.ms);
  },
  () => process.exit(0),
);
