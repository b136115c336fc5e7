import { once } from 'node:events';
import { connect, createServer, type AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { isStranger, ownerIn } from './peer.ts';

const TABLE = `  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
   0: 0100007F:1267 00000000:0000 0A 00000000:00000000 00:00000000 00000000  1000        0 11 1
   1: 0100007F:1267 0100007F:C001 01 00000000:00000000 00:00000000 00000000  1000        0 12 1
   2: 0100007F:C001 0100007F:1267 01 00000000:00000000 00:00000000 00000000  1001        0 13 1
   3: 0100007F:C001 0100007F:0050 01 00000000:00000000 00:00000000 00000000  1002        0 14 1
`;

test('the owner of a connection is whoever has its other end', () => {
  expect(ownerIn(TABLE, { from: 0xc001, to: 0x1267 })).toBe(1_001);
  expect(ownerIn(TABLE, { from: 0xc001, to: 80 })).toBe(1_002);
  expect(ownerIn(TABLE, { from: 0xc002, to: 0x1267 })).toBeUndefined();
  expect(ownerIn('', { from: 1, to: 2 })).toBeUndefined();
});

test('we are no stranger to ourselves, and neither is who cannot be told', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port: to } = server.address() as AddressInfo; // it listens
  const socket = connect(to, '127.0.0.1');
  onTestFinished(() => {
    socket.destroy();
    server.close();
  });
  await once(socket, 'connect');
  const from = socket.localPort ?? 0;
  expect(await isStranger({ from, to })).toBe(false);
  expect(await isStranger({ from, to }, '/nowhere')).toBe(false);
  expect(await isStranger({ from: 1, to })).toBe(false);
});
