/**
 * The floor over HTTP: the least code that stands between HTTP hosts and a stdio server. It parses,
 * rewrites the id, forwards and rewrites it back; it checks, decides and records nothing. Usage:
 * `node bench/gateway-floor-http.ts COMMAND…`; prints `{"port":…}` and ends with its standard input.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { startEchoChild } from './gateway-floor-child.ts';

const child = startEchoChild(process.argv.slice(2));
const server = createServer((request, response) => {
  let body = '';
  request.setEncoding('utf8');
  request.on('data', (chunk: string) => (body += chunk));
  request.on('end', () => {
    child.ask(JSON.parse(body) as Record<string, unknown>, (message) => {
      const text = JSON.stringify(message);
      response.writeHead(200, {
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(text),
      });
      response.end(text);
    });
  });
});
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo; // a TCP listener has a port
  console.log(JSON.stringify({ port }));
});
process.stdin.resume().on('end', () => process.exit(0));
