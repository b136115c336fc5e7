/**
 * The least that a bridge to a shared hub can do: bytes to its socket, and bytes back. Usage:
 * `node bench/gateway-floor-bridge.ts SOCKET`; it ends with its standard input.
 */
import { connect } from 'node:net';

const link = connect(process.argv[2] ?? '');
process.stdin.pipe(link).pipe(process.stdout);
process.stdin.on('end', () => process.exit(0));
