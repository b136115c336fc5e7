/** As much of RFC 6455 as a fixture needs: text, fragments, ping, pong, close. */
export type Frame =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'ping'; readonly payload: Buffer }
  | { readonly kind: 'close' };

const TEXT = 1;
const CLOSE = 8;
const PING = 9;
const PONG = 10;

/** Collects bytes and yields whole messages. */
export class FrameReader {
  #rest: Buffer = Buffer.alloc(0);
  #fragments: Buffer[] = [];

  *read(chunk: Buffer): Generator<Frame> {
    this.#rest = Buffer.concat([this.#rest, chunk]);
    for (;;) {
      const frame = takeFrame(this.#rest);
      if (!frame) return;
      this.#rest = this.#rest.subarray(frame.size);
      if (frame.opcode === CLOSE) yield { kind: 'close' };
      else if (frame.opcode === PING) yield { kind: 'ping', payload: frame.payload };
      else if (frame.opcode !== PONG) {
        this.#fragments.push(frame.payload);
        if (!frame.final) continue;
        yield { kind: 'text', text: Buffer.concat(this.#fragments).toString('utf8') };
        this.#fragments = [];
      }
    }
  }
}

export function textFrame(text: string): Buffer {
  return frameOf(TEXT, Buffer.from(text, 'utf8'));
}

export function pongFrame(payload: Buffer): Buffer {
  return frameOf(PONG, payload);
}

export function closeFrame(): Buffer {
  return frameOf(CLOSE, Buffer.from([0x03, 0xe8])); // 1000: done
}

interface RawFrame {
  readonly final: boolean;
  readonly opcode: number;
  readonly payload: Buffer;
  readonly size: number;
}

function takeFrame(bytes: Buffer): RawFrame | undefined {
  if (bytes.length < 2) return undefined;
  const first = bytes.readUInt8(0);
  const second = bytes.readUInt8(1);
  const short = second & 0x7f;
  const extra = short === 126 ? 2 : short === 127 ? 8 : 0;
  const masked = (second & 0x80) !== 0;
  const start = 2 + extra + (masked ? 4 : 0);
  if (bytes.length < start) return undefined;
  const length = extra === 2 ? bytes.readUInt16BE(2) : extra === 8 ? Number(bytes.readBigUInt64BE(2)) : short;
  if (bytes.length < start + length) return undefined;
  const payload = Buffer.from(bytes.subarray(start, start + length));
  if (masked) unmask(payload, bytes.subarray(start - 4, start));
  return { final: (first & 0x80) !== 0, opcode: first & 0x0f, payload, size: start + length };
}

function unmask(payload: Buffer, key: Buffer): void {
  for (let at = 0; at < payload.length; at += 1) payload[at] = (payload[at] ?? 0) ^ (key[at % 4] ?? 0);
}

/** A server's frames are not masked. */
function frameOf(opcode: number, payload: Buffer): Buffer {
  const length = payload.length;
  const extra = length < 126 ? 0 : length < 65_536 ? 2 : 8;
  const head = Buffer.alloc(2 + extra);
  head.writeUInt8(0x80 | opcode, 0);
  head.writeUInt8(extra === 0 ? length : extra === 2 ? 126 : 127, 1);
  if (extra === 2) head.writeUInt16BE(length, 2);
  if (extra === 8) head.writeBigUInt64BE(BigInt(length), 2);
  return Buffer.concat([head, payload]);
}
