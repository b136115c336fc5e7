import { deflateRawSync } from 'node:zlib';

export interface Packed {
  readonly path: string;
  readonly content: string;
  /** Packed already; then `content` only says what size it claims. */
  readonly data?: Buffer;
  readonly mode?: number;
  readonly claims?: number;
}

/** A zip archive as other programs write it. */
export function zip(files: readonly Packed[]): Buffer {
  const locals: Buffer[] = [];
  const table: Buffer[] = [];
  let offset = 0;
  for (const { path, content, data: given, mode = 0o100_644, claims } of files) {
    const name = Buffer.from(path);
    const data = given ?? deflateRawSync(Buffer.from(content));
    const size = claims ?? Buffer.byteLength(content);
    const local = Buffer.alloc(30);
    local.writeUInt32LE(0x0403_4b50, 0);
    local.writeUInt16LE(8, 8);
    local.writeUInt32LE(data.length, 18);
    local.writeUInt32LE(size, 22);
    local.writeUInt16LE(name.length, 26);
    const central = Buffer.alloc(46);
    central.writeUInt32LE(0x0201_4b50, 0);
    central.writeUInt16LE(8, 10);
    central.writeUInt32LE(data.length, 20);
    central.writeUInt32LE(size, 24);
    central.writeUInt16LE(name.length, 28);
    central.writeUInt32LE((mode << 16) >>> 0, 38);
    central.writeUInt32LE(offset, 42);
    locals.push(local, name, data);
    table.push(central, name);
    offset += 30 + name.length + data.length;
  }
  const end = Buffer.alloc(22);
  const tableBytes = Buffer.concat(table);
  end.writeUInt32LE(0x0605_4b50, 0);
  end.writeUInt16LE(files.length, 10);
  end.writeUInt32LE(tableBytes.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...locals, tableBytes, end]);
}
