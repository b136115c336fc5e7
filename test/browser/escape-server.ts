/**
 * A server that brings pages along: `node escape-server.ts FOLDER`. For every page.html in the folder it
 * has a tool show_page, whose app is that file.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Message, readLines, refuseMethod, writeLine } from '../servers/stdio/lines.ts';

const [folder = '.'] = process.argv.slice(2);
const names = readdirSync(folder).map((file) => file.replace(/\.html$/, ''));
const uriOf = (name: string): string => `ui://escapes/${name}.html`;
const mimeType = 'text/html;profile=mcp-app';

readLines((message) => {
  if (message.id !== undefined) answer(message);
});

function answer(message: Message): void {
  const { id, method, params = {} } = message;
  switch (method) {
    case 'initialize': {
      const capabilities = { tools: {}, resources: {} };
      const serverInfo = { name: 'escapes', version: '1.0.0' };
      return writeLine({ id, result: { protocolVersion: '2025-11-25', capabilities, serverInfo } });
    }
    case 'tools/list': {
      const inputSchema = { type: 'object' };
      const annotations = { readOnlyHint: false, destructiveHint: false };
      const tools = names.map((name) => ({
        name: `show_${name}`,
        inputSchema,
        annotations,
        _meta: { ui: { resourceUri: uriOf(name) } },
      }));
      return writeLine({ id, result: { tools } });
    }
    case 'resources/list':
      return writeLine({ id, result: { resources: [] } });
    case 'resources/read': {
      const { uri } = params;
      const name = names.find((each) => uriOf(each) === uri) ?? '';
      const text = readFileSync(join(folder, `${name}.html`), 'utf8');
      return writeLine({ id, result: { contents: [{ uri, mimeType, text }] } });
    }
    case 'tools/call':
      return writeLine({ id, result: { content: [{ type: 'text', text: 'shown' }] } });
    case undefined:
    default:
      return refuseMethod(message);
  }
}
