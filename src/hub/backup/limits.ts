import { limits } from '../../base/limits.ts';

/** What a backup may hold: whoever restores one may have it from anywhere. */
export const backupLimits = {
  /** It travels in one request, which has other fields too. */
  documentBytesMax: limits.apiBodyBytesMax - 64 * 1024,
  depthMax: limits.apiJsonDepthMax,
  itemsMax: limits.apiJsonItemsMax,
  /** Of each kind. */
  serversMax: 1_000,
  rowsMax: 50_000,
  secretsMax: 10_000,
  fileCharsMax: limits.configBytesMax,
  textCharsMax: 64 * 1024,
  nameCharsMax: 1_024,
  /** A stored derivation may not ask for more: half a gigabyte. */
  scryptCostMax: 2 ** 18,
  scryptBlockSizeMax: 16,
  todoMax: 200,
} as const;
