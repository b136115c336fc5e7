import { appendFileSync, readFileSync, watchFile } from 'node:fs';
import type { Params } from '../params.ts';
import { type Message, readLines, refuseMethod, writeLine } from './lines.ts';

/**
 * Its tools stand in a file, as JSON, so that a test can change them between two lists. Every call
 * is a line in another file: what is not there was never called. With `announces` it says that
 * the list has changed; without the file it does not start. While the file says `null`, nobody is told
 * the list.
 */
export function scripted(params: Params): void {
  const file = params.need('file');
  const called = params.need('called');
  const tools = (): unknown => JSON.parse(readFileSync(file, 'utf8'));
  tools();
  readLines((message) => answer(message, { tools, called }));
  if (params.flag('announces')) {
    watchFile(file, { interval: 20, persistent: false }, () =>
      writeLine({ method: 'notifications/tools/list_changed' }),
    );
  }
}

interface Script {
  readonly tools: () => unknown;
  readonly called: string;
}

function answer(message: Message, { tools, called }: Script): void {
  const { id, method, params = {} } = message;
  if (id === undefined) return;
  switch (method) {
    case 'initialize':
      return writeLine({
        id,
        result: {
          protocolVersion: '2025-11-25',
          capabilities: { tools: { listChanged: true } },
          serverInfo: { name: 'scripted', version: '1.0.0' },
        },
      });
    case 'ping':
      return writeLine({ id, result: {} });
    case 'tools/list': {
      const offered = tools();
      return offered === null ? undefined : writeLine({ id, result: { tools: offered } });
    }
    case 'tools/call': {
      const name = String(params['name']);
      appendFileSync(called, `${name}\n`);
      return writeLine({ id, result: { content: [{ type: 'text', text: `did ${name}` }] } });
    }
    case undefined:
    default:
      return refuseMethod(message);
  }
}
