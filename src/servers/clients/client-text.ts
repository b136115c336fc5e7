import { limits } from '../../base/limits.ts';
import { decodeText, NOT_TEXT, readFileBytes, stampOf, type NoFile } from '../text-file.ts';

export type ClientText =
  | {
      readonly kind: 'ok';
      readonly text: string;
      readonly bom: boolean;
      readonly mode: number;
      readonly stamp: string;
      readonly modifiedMs: number;
    }
  | NoFile;

const BOM = '\uFEFF';

export async function readClientText(path: string): Promise<ClientText> {
  const file = await readFileBytes(path, limits.clientFileBytesMax);
  if (file.kind !== 'ok') return file;
  const { bytes, stats } = file;
  const text = decodeText(bytes, 'utf-8');
  if (text === undefined) return NOT_TEXT;
  const bom = text.startsWith(BOM);
  return {
    kind: 'ok',
    text: bom ? text.slice(1) : text,
    bom,
    mode: Number(stats.mode) & 0o7777,
    stamp: stampOf(stats).text,
    modifiedMs: Number(stats.mtimeMs),
  };
}
