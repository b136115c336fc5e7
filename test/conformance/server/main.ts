/**
 * The fixture of the conformance suite: `node test/conformance/server/main.ts stdio|http`. Over HTTP
 * it listens on a free loopback port, prints `{"url":"…"}`, and ends when its standard input does.
 */
import type { AddressInfo } from 'node:net';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { createFixtureListener } from './http.ts';
import { conformanceServer } from './server.ts';
import { newWorld } from './world.ts';

const [, , way = ''] = process.argv;
switch (way) {
  case 'stdio': {
    const world = newWorld();
    serveStdio(() => conformanceServer(world, { listens: true }));
    break;
  }
  case 'http': {
    const listener = createFixtureListener();
    listener.listen(0, '127.0.0.1', () => {
      const { port } = listener.address() as AddressInfo; // a TCP listener has such an address
      console.log(JSON.stringify({ url: `http://127.0.0.1:${port}/mcp` }));
    });
    process.stdin.resume().on('end', () => process.exit(0));
    break;
  }
  default:
    throw new Error('Say how to speak: stdio or http.');
}
