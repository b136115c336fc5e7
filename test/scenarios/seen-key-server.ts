/**
 * A server that looks at its key before it does anything, as many do: `node seen-key-server.ts FILE`
 * ends at once unless WEATHER_API_KEY holds what the file holds.
 */
import { readFileSync, writeSync } from 'node:fs';
import { answerHandshake, readLines, refuseMethod, writeLine } from '../servers/stdio/lines.ts';

const [file = ''] = process.argv.slice(2);
if (process.env['WEATHER_API_KEY'] !== readFileSync(file, 'utf8')) {
  writeSync(2, 'Error: 401 Unauthorized: invalid API key\n');
  process.exit(1);
}
const forecast = {
  name: 'forecast',
  description: 'Tells the weather.',
  inputSchema: { type: 'object' },
  annotations: { readOnlyHint: true },
};
readLines(
  (message) => {
    if (answerHandshake(message)) return;
    const { id, method } = message;
    if (method === 'tools/list') writeLine({ id, result: { tools: [forecast] } });
    else if (method === 'tools/call')
      writeLine({ id, result: { content: [{ type: 'text', text: 'sunny' }] } });
    else refuseMethod(message);
  },
  () => process.exit(0),
);
