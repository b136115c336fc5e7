import { readFileSync, writeFileSync } from 'node:fs';
import { crc32, deflateSync } from 'node:zlib';
import { expect } from 'vitest';
import { systemClock } from '../../src/base/clock.ts';
import { limits } from '../../src/base/limits.ts';
import { declaredIn } from '../../src/hub/icons/declared.ts';
import { Icons } from '../../src/hub/icons/icons.ts';
import { verifies } from '../requirements.ts';
import { newPlug } from '../scenarios/plug-command.ts';

const MB = 1024 * 1024;

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type), data]);
  const ends = Buffer.alloc(8);
  ends.writeUInt32BE(data.length, 0);
  ends.writeUInt32BE(crc32(body), 4);
  return Buffer.concat([ends.subarray(0, 4), body, ends.subarray(4)]);
}

/** A grey picture that says it has this size, with whatever is packed in it. */
function png(width: number, height: number, raw: Buffer): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 0, 0, 0, 0], 8);
  const begin = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return Buffer.concat([
    begin,
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(raw)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

/** A JPEG whose frame says it has this size. */
function jpeg(width: number, height: number): Buffer {
  const frame = Buffer.from([0xff, 0xc0, 0, 11, 8, 0, 0, 0, 0, 1, 1, 0x11, 0]);
  frame.writeUInt16BE(height, 5);
  frame.writeUInt16BE(width, 7);
  return Buffer.concat([Buffer.from([0xff, 0xd8]), frame, Buffer.from([0xff, 0xd9])]);
}

function gif(width: number, height: number): Buffer {
  const head = Buffer.from('GIF89a\0\0\0\0\0\0\0', 'latin1');
  head.writeUInt16LE(width, 6);
  head.writeUInt16LE(height, 8);
  return head;
}

function webp(width: number, height: number): Buffer {
  const head = Buffer.alloc(30);
  head.write('RIFF\0\0\0\0WEBPVP8X', 'latin1');
  head.writeUIntLE(width - 1, 24, 3);
  head.writeUIntLE(height - 1, 27, 3);
  return head;
}

verifies(
  ['attack:pictures', 'S18'],
  'a screenshot that is enormous, cut off or a bomb is refused, and the hub lives',
  async () => {
    const plug = newPlug({}, { hub: 'process' });
    await plug('hub', 'start');
    const { pid } = JSON.parse(readFileSync(`${plug.home}/plug/hub.json`, 'utf8')) as { pid: number };
    const memory = (): number => {
      const [, kilobytes = '0'] = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
      return Number(kilobytes) / 1024;
    };
    const before = memory();
    const small = png(40, 40, Buffer.alloc(41 * 40, 0xff));
    const pictures: Readonly<Record<string, Buffer>> = {
      'enormous.png': png(65_535, 65_535, Buffer.alloc(100)),
      'endless.png': png(0xff_ff_ff_ff, 0xff_ff_ff_ff, Buffer.alloc(100)),
      'enormous.jpg': jpeg(65_535, 65_535),
      'nothing.png': png(0, 0, Buffer.alloc(0)),
      'bomb.png': png(100, 100, Buffer.alloc(256 * MB)),
      'cut.png': small.subarray(0, small.length - 20),
      'header.png': small.subarray(0, 33),
      'first.jpg': Buffer.from([0xff, 0xd8, 0xff]),
      'loop.jpg': Buffer.concat([Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 0]), Buffer.alloc(64, 0xff)]),
    };
    for (const [name, bytes] of Object.entries(pictures)) {
      writeFileSync(`${plug.cwd}/${name}`, bytes);
      const { code, stdout, stderr } = await plug('parse', `${plug.cwd}/${name}`);
      expect({ name, refused: code !== 0 && code !== null }).toEqual({ name, refused: true });
      expect([name, stdout + stderr]).toEqual([name, expect.not.stringMatching(/at .*\.js:|undefined/)]);
      expect({ name, pid: (await plug.json('hub', 'status'))['pid'] }).toEqual({ name, pid });
    }
    expect(memory() - before).toBeLessThan(500);
  },
  300_000,
);

verifies(
  ['attack:pictures'],
  'a server’s picture of few bytes and endless pixels, or one that does not say its size, is not shown',
  async () => {
    const shown = async (bytes: Buffer): Promise<boolean> => {
      const fetch = async (): Promise<Response> => new Response(Uint8Array.from(bytes));
      const icons = new Icons({ fetch, clock: systemClock, limits });
      return (await icons.get(['https://icons.test/a'])).data !== undefined;
    };
    for (const make of [
      jpeg,
      gif,
      webp,
      (width: number, height: number) => png(width, height, Buffer.alloc(9)),
    ]) {
      expect(await shown(make(64, 64))).toBe(true);
      for (const [width, height] of [
        [65_535, 65_535],
        [65_535, 1_000],
        [16_383, 16_383],
      ] as const) {
        expect(await shown(make(width, height))).toBe(false);
      }
      for (let length = 0; length < 20; length += 1) {
        const cut = make(64, 64).subarray(0, length);
        expect([length, (await shown(cut)) && make !== gif && make !== jpeg]).toEqual([length, false]);
      }
    }
    const drawing = '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>';
    expect(await shown(Buffer.from(drawing))).toBe(false);
    expect(
      declaredIn({ icons: [{ src: `data:image/svg+xml,${drawing}` }, { src: 'http://127.0.0.1/x.png' }] }),
    ).toEqual([]);
  },
);
