/** An old server whose tool `page` asks the person to open the address that it was given. */
import { answerHandshake, readLines, writeLine, type Message } from '../servers/stdio/lines.ts';

let waiting: Message['id'];

readLines((message) => {
  const { id, method, params = {} } = message;
  if (id === 'question' && method === undefined) {
    const text = JSON.stringify(message);
    return writeLine({ id: waiting, result: { content: [{ type: 'text', text }] } });
  }
  if (answerHandshake(message)) return undefined;
  if (method === 'tools/list') {
    const inputSchema = { type: 'object', properties: { url: { type: 'string' } } };
    return writeLine({ id, result: { tools: [{ name: 'page', inputSchema }] } });
  }
  if (method !== 'tools/call') {
    return writeLine({ id, error: { code: -32601, message: 'Method not found' } });
  }
  waiting = id;
  const { url } = params['arguments'] as { url: string }; // as the schema says
  const asked = { mode: 'url', message: 'Please look.', url, elicitationId: 'e' };
  return writeLine({ id: 'question', method: 'elicitation/create', params: asked });
});
