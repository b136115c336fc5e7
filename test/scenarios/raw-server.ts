import { fileURLToPath } from 'node:url';

/** Answers in texts, so that nothing of it is parsed and written again: what came as `value` goes back. */
export function rawAnswer(line: string): readonly string[] {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return [];
  const say = (result: string): readonly string[] => [`{"jsonrpc":"2.0","id":${id},"result":${result}}`];
  if (method === 'initialize') {
    return say(
      '{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"raw","version":"1"}}',
    );
  }
  if (method === 'tools/list') {
    const fields = '{"n":{"type":"integer"},"value":{},"end":{"type":"string"}}';
    const tool = (name: string): string =>
      `{"name":"${name}","inputSchema":{"type":"object","properties":${fields}},"annotations":{"readOnlyHint":true}}`;
    return say(`{"tools":[${tool('echo')},${tool('fail')}]}`);
  }
  if (method !== 'tools/call') return [`{"jsonrpc":"2.0","id":${id},"error":{"code":-32601,"message":"no"}}`];
  if (params.name === 'fail') {
    return [`{"jsonrpc":"2.0","id":${id}.0,"error":{"code":-32000.0,"message":"no","data":1.0}}`];
  }
  const from = line.indexOf('"value":') + '"value":'.length;
  const value = line.slice(from, line.indexOf(',"end":"END"', from));
  const token = /"progressToken":([^,}]+)/.exec(line)?.[1];
  const progress = `{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":${token},"progress":0.10}}`;
  const result = `{"content":[],"structuredContent":{"value":${value},"end":"END"},"_meta":{"of/it":${value}}}`;
  return [...(token === undefined ? [] : [progress]), ...say(result)];
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  let rest = '';
  process.stdin.setEncoding('utf8').on('data', (part: string) => {
    const lines = (rest + part).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) for (const text of rawAnswer(line)) process.stdout.write(`${text}\n`);
  });
}
