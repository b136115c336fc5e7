import { isObject, type Json, type JsonObject } from '../../base/json.ts';
import type { Limits } from '../../base/limits.ts';
import type { ResultHandle } from '../tool-call.ts';
import { cutAtLine } from './cut.ts';
import { excerptOf, excerptOfObject } from './excerpt.ts';
import { describeMedia } from './render.ts';
import { sizeInWords } from '../../base/size-in-words.ts';
import { mediaOf, roughChars } from './weigh.ts';

/** The start of a large result: same content kinds and order; `isError`, `_meta` and unknown kinds kept. */
export function previewOf(result: JsonObject, handle: ResultHandle, limits: Limits): JsonObject {
  const preview = new Preview(handle, limits);
  const room = limits.resultPreviewCharsShown;
  const { content, structuredContent, _meta, ...rest } = result;
  return {
    ...excerptOfObject(rest, room),
    content: Array.isArray(content) ? preview.content(content) : [preview.note()],
    ...(structuredContent === undefined ? {} : { structuredContent: excerptOf(structuredContent, room) }),
    ...(_meta === undefined ? {} : { _meta: excerptOf(_meta, room) }),
  };
}

class Preview {
  readonly #handle: ResultHandle;
  readonly #limits: Limits;
  #textRoom: number;
  #mediaRoom: number;
  #cut = false;

  constructor(handle: ResultHandle, limits: Limits) {
    this.#handle = handle;
    this.#limits = limits;
    this.#textRoom = limits.resultPreviewCharsShown;
    this.#mediaRoom = limits.resultMediaBytesMax;
  }

  content(blocks: readonly Json[]): readonly Json[] {
    const shown: Json[] = [];
    for (const block of blocks) {
      // Thousands of small blocks are as long as a large one.
      if (this.#textRoom <= 0 && shown.length >= BLOCKS_SHOWN) break;
      shown.push(this.#block(block));
    }
    const left = blocks.length - shown.length;
    return this.#cut && left === 0 ? shown : [...shown, this.note(left)];
  }

  note(blocksLeft = 0): JsonObject {
    const left = blocksLeft === 0 ? '' : `${blocksLeft} more parts. `;
    return { type: 'text', text: `[${left}${this.#howToReadOn()}]` };
  }

  #block(block: Json): Json {
    const media = mediaOf(block);
    if (media !== undefined) return this.#media(block, media);
    // Small blocks are shown even when the room is used up.
    const room = Math.max(this.#textRoom, SMALL_BLOCK_CHARS);
    const chars = roughChars(block, room);
    if (chars <= room) {
      this.#textRoom -= chars;
      return block;
    }
    const fields: JsonObject = isObject(block) ? block : {};
    const resource = fields['resource'];
    if (fields['type'] === 'text' && typeof fields['text'] === 'string') {
      return { ...fields, text: this.#text(fields['text']) };
    }
    if (fields['type'] === 'resource' && isObject(resource) && typeof resource['text'] === 'string') {
      return { ...fields, resource: { ...resource, text: this.#text(resource['text']) } };
    }
    this.#textRoom = 0;
    return excerptOf(block, room);
  }

  #media(block: Json, media: string): Json {
    if (media.length <= this.#mediaRoom) {
      this.#mediaRoom -= media.length;
      return block;
    }
    return {
      type: 'text',
      text: `${describeMedia(block, media)} was left out: it is too large to be shown.`,
    };
  }

  /** Only the first cut text says how to read on. */
  #text(text: string): string {
    const shown = cutAtLine(text, Math.max(0, this.#textRoom));
    this.#textRoom = 0;
    const rest = this.#cut ? 'cut here' : this.#howToReadOn();
    this.#cut = true;
    return `${shown}\n[… ${text.length - shown.length} more characters. ${rest}]`;
  }

  #howToReadOn(): string {
    const { id, bytes, pages } = this.#handle;
    const days = Math.round(this.#limits.resultKeepMs / (24 * 60 * 60_000));
    return (
      `This is the beginning of a result of ${sizeInWords(bytes)}, kept whole for ${days} days as ${id}. ` +
      `Read on with: plug results ${id} --page 1 (of ${pages}), ` +
      `plug results ${id} --grep PATTERN, or plug results ${id} --path JSONPATH`
    );
  }
}

const BLOCKS_SHOWN = 20;
const SMALL_BLOCK_CHARS = 300;
