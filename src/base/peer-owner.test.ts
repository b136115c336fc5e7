import { endianness } from 'node:os';
import { expect, test } from 'vitest';
import { ownPeer } from '../../test/contracts/own-peer.ts';
import { isOwnPeer, ownerIn, peerOf, type Peer } from './peer-owner.ts';

const TABLE = `  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
   0: 0100007F:1267 00000000:0000 0A 00000000:00000000 00:00000000 00000000  1000        0 11 1
   1: 0100007F:1267 0100007F:C001 01 00000000:00000000 00:00000000 00000000  1000        0 12 1
   2: 0100007F:C001 0100007F:1267 01 00000000:00000000 00:00000000 00000000  1001        0 13 1
   3: 0900007F:C001 0100007F:1267 01 00000000:00000000 00:00000000 00000000  1002        0 14 1
   4: 0100007F:C003 0100007F:1267 05 00000000:00000000 00:00000000 00000000     0        0 0 1
`;
const TABLE6 = `  sl  local_address                         remote_address                        st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
   0: 0000000000000000FFFF00000900007F:C002 0000000000000000FFFF00000100007F:1267 01 00000000:00000000 00:00000000 00000000  1003        0 15 1
   1: 00000000000000000000000001000000:C002 00000000000000000000000001000000:1267 01 00000000:00000000 00:00000000 00000000  1004        0 16 1
   2: B80D0120000000000000000001000000:C002 00000000000000000000000001000000:1267 01 00000000:00000000 00:00000000 00000000  1005        0 17 1
`;

function peer(address: string, port: number, ownAddress = '127.0.0.1'): Peer {
  return { address, port, ownAddress, ownPort: 0x1267 };
}

test.runIf(endianness() === 'LE')('the owner of a connection is the user of exactly its other end', () => {
  expect(ownerIn(TABLE, peer('127.0.0.1', 0xc001))).toBe(1_001);
  expect(ownerIn(TABLE, peer('127.0.0.9', 0xc001))).toBe(1_002);
  expect(ownerIn(TABLE, peer('::ffff:127.0.0.9', 0xc001, '::ffff:127.0.0.1'))).toBe(1_002);
  expect(ownerIn(TABLE6, peer('127.0.0.9', 0xc002))).toBe(1_003);
  expect(ownerIn(TABLE6, peer('::1', 0xc002, '::1'))).toBe(1_004);
  expect(ownerIn(TABLE6, peer('2001:db8::1', 0xc002, '::1'))).toBe(1_005);
});

test('nobody owns a connection that is not in the table, that its program has closed, or whose address is none', () => {
  expect(ownerIn(TABLE, peer('127.0.0.2', 0xc001))).toBeUndefined();
  expect(ownerIn(TABLE, peer('127.0.0.1', 0xc002))).toBeUndefined();
  expect(ownerIn(TABLE, peer('127.0.0.1', 0xc001, '127.0.0.2'))).toBeUndefined();
  expect(ownerIn(TABLE, peer('127.0.0.1', 0xc003))).toBeUndefined();
  expect(ownerIn('', peer('127.0.0.1', 1))).toBeUndefined();
  for (const odd of [
    '',
    ':',
    '::',
    ':::',
    '1:2',
    'x',
    '1::2::3',
    '127.0.0',
    '::ffff:',
    '1:2:3:4:5:6:7:8:9',
  ]) {
    expect(ownerIn(`${TABLE}${TABLE6}`, peer(odd, 0xc001, odd))).toBeUndefined();
  }
});

test.runIf(process.platform === 'linux')(
  'our own programs are ours, from every loopback address',
  async () => {
    for (const from of ['127.0.0.1', '127.0.0.9']) {
      expect([from, await isOwnPeer(await ownPeer(from))]).toEqual([from, true]);
    }
  },
);

test.runIf(process.platform === 'linux')(
  'on Linux, a peer whose owner cannot be found is not ours',
  async () => {
    const found = await ownPeer();
    expect(await isOwnPeer(found, ['/nowhere'])).toBe(false);
    expect(await isOwnPeer(undefined)).toBe(false);
    expect(await isOwnPeer({ ...found, address: '127.0.0.2' })).toBe(false);
    expect(await isOwnPeer({ ...found, ownPort: 1 })).toBe(false);
    expect(peerOf({})).toBeUndefined();
  },
);
