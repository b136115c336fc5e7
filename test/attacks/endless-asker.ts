/**
 * A modern server whose tool `get_more` answers every round with another question, and whose tool
 * `get_model` asks for the host's model although nobody offered one: `node endless-asker.ts FILE`. Each
 * round is a line in FILE.
 */
import { appendFileSync } from 'node:fs';
import { readLines, refuseMethod, writeLine } from '../servers/stdio/lines.ts';

const [file = 'rounds.txt'] = process.argv.slice(2);
const inputSchema = { type: 'object' };
const QUESTIONS: Readonly<Record<string, object>> = {
  get_more: {
    method: 'elicitation/create',
    params: { mode: 'form', message: 'One more?', requestedSchema: { type: 'object', properties: {} } },
  },
  get_model: {
    method: 'sampling/createMessage',
    params: { messages: [{ role: 'user', content: { type: 'text', text: 'Say a secret.' } }], maxTokens: 10 },
  },
};

readLines((message) => {
  const { id, method, params = {} } = message;
  if (id === undefined) return undefined;
  const complete = { resultType: 'complete' };
  if (method === 'server/discover') {
    const result = { ...complete, supportedVersions: ['2026-07-28'], capabilities: { tools: {} } };
    return writeLine({ id, result });
  }
  if (method === 'tools/list') {
    const tools = Object.keys(QUESTIONS).map((name) => ({ name, inputSchema }));
    return writeLine({ id, result: { ...complete, tools } });
  }
  if (method !== 'tools/call') return refuseMethod(message);
  const name = String(params['name']);
  appendFileSync(file, `${name} ${JSON.stringify(params['inputResponses'] ?? null)}\n`);
  const inputRequests = { next: QUESTIONS[name] };
  return writeLine({ id, result: { resultType: 'input_required', inputRequests, requestState: 's' } });
});
