/**
 * The floor of a hub that hosts share: the same as over stdio, behind a unix socket. Usage:
 * `node bench/gateway-floor-hub.ts SOCKET COMMAND…`; prints a line when it listens, and ends with its
 * standard input.
 */
import { createServer } from 'node:net';
import { startEchoChild } from './gateway-floor-child.ts';
import { serveLines } from './gateway-floor-lines.ts';

const [socket = '', ...command] = process.argv.slice(2);
const child = startEchoChild(command);
createServer((link) => serveLines(child, link, link)).listen(socket, () => console.log('listening'));
process.stdin.resume().on('end', () => process.exit(0));
