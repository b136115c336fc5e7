/**
 * The floor over stdio: one process between a host and a server. Usage:
 * `node bench/gateway-floor-stdio.ts COMMAND…`; it ends with its standard input.
 */
import { startEchoChild } from './gateway-floor-child.ts';
import { serveLines } from './gateway-floor-lines.ts';

serveLines(startEchoChild(process.argv.slice(2)), process.stdin, process.stdout);
process.stdin.on('end', () => process.exit(0));
