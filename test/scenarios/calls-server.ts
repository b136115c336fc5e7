/**
 * An MCP server whose tools stand in a file, as they are now: `node calls-server.ts FILE`. Every
 * call is written down before it is answered, so that a test can count what really ran.
 */
import { appendFileSync, existsSync, readFileSync, watchFile } from 'node:fs';
import { answerHandshake, type Message, readLines, refuseMethod, writeLine } from '../servers/stdio/lines.ts';
import type { PlayedTool } from './calls-played.ts';

const [file = ''] = process.argv.slice(2);

// The test writes just this into the file.
const played = (): readonly PlayedTool[] => JSON.parse(readFileSync(file, 'utf8')) as readonly PlayedTool[];

watchFile(file, { interval: 20 }, () => writeLine({ method: 'notifications/tools/list_changed' }));

readLines(
  (message) => {
    if (message.method === 'initialize') return initialize(message);
    if (answerHandshake(message)) return undefined;
    if (message.method === 'tools/list') {
      const tools = played().map((tool) => ({ ...tool, plays: undefined }));
      return writeLine({ id: message.id, result: { tools } });
    }
    return message.method === 'tools/call' ? callTool(message) : refuseMethod(message);
  },
  () => process.exit(0),
);

function initialize({ id }: Message): void {
  const serverInfo = { name: 'played', version: '1.0.0' };
  const capabilities = { tools: { listChanged: true } };
  writeLine({ id, result: { protocolVersion: '2025-11-25', capabilities, serverInfo } });
}

function callTool({ id, params = {} }: Message): void {
  const name = String(params['name']);
  const plays = played().find((tool) => tool.name === name)?.plays ?? {};
  const log = `${file}.calls`;
  appendFileSync(log, `${JSON.stringify({ name, args: params['arguments'], meta: params['_meta'] })}\n`);
  const times = existsSync(log) ? readFileSync(log, 'utf8').split(`"name":"${name}"`).length - 1 : 0;
  if (times <= (plays.crashes ?? 0)) process.exit(7);
  if (plays.silent) return;
  if (plays.error) return writeLine({ id, error: plays.error });
  const text = plays.env === undefined ? (plays.text ?? 'done') : (process.env[plays.env] ?? 'not set');
  const lines = plays.lines ? manyLines(plays.lines.bytes, plays.lines.last) : text;
  writeLine({ id, result: plays.result ?? { content: [{ type: 'text', text: lines }] } });
}

/** Numbered lines up to a size, and one that a test looks for. */
function manyLines(bytes: number, last: string): string {
  const lines: string[] = [];
  for (let size = 0; size < bytes; size += 64) lines.push(`line ${lines.length}`.padEnd(63, '.'));
  return [...lines, last].join('\n');
}
