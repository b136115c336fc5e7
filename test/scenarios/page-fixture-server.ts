/**
 * An MCP server for the page's tests: `node page-fixture-server.ts JSON` (or a file of it) says what it writes to
 * stderr, what it calls itself, and what it offers.
 */
import { readFileSync } from 'node:fs';
import { answerHandshake, type Message, readLines, refuseMethod, writeLine } from '../servers/stdio/lines.ts';
import type { PageFixture } from './page-fixture.ts';

const [given = '{}'] = process.argv.slice(2);
const text = given.startsWith('{') ? given : readFileSync(given, 'utf8');
const fixture = JSON.parse(text) as PageFixture; // the test gave it so
const { stderr = [], serverInfo = {}, tools = [], refuses = false, silent = false } = fixture;

const known: Readonly<Record<string, string | undefined>> = {
  key: process.env['API_KEY'],
  pid: String(process.pid),
};
for (const line of stderr) {
  process.stderr.write(`${line.replaceAll(/~(\w+)~/g, (_, name: string) => known[name] ?? 'unset')}\n`);
}
if (refuses) process.exit(3);

readLines(
  (message) => {
    if (silent) return undefined;
    if (message.method === 'initialize') return initialize(message);
    if (answerHandshake(message)) return undefined;
    if (message.method === 'tools/list') {
      return writeLine({
        id: message.id,
        result: { tools: tools.map(({ result: _result, ...tool }) => tool) },
      });
    }
    return message.method === 'tools/call' ? callTool(message) : refuseMethod(message);
  },
  () => process.exit(0),
);

function initialize({ id }: Message): void {
  writeLine({
    id,
    result: {
      protocolVersion: '2025-11-25',
      capabilities: { tools: {} },
      serverInfo: { name: 'page fixture', version: '1.0.0', ...serverInfo },
    },
  });
}

function callTool({ id, params = {} }: Message): void {
  const called = tools.find(({ name }) => name === params['name']);
  writeLine({ id, result: called?.result ?? { content: [{ type: 'text', text: 'done' }] } });
}
