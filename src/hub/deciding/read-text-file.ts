import { open } from 'node:fs/promises';

/** A text that is on this machine now, for the preview of a call that would change it. */
export async function readTextFile(path: string, bytesMax: number): Promise<string | undefined> {
  await using file = await open(path, 'r');
  const { size } = await file.stat();
  if (size > bytesMax) return undefined;
  const bytes = await file.readFile();
  return bytes.includes(0) ? undefined : bytes.toString('utf8');
}
