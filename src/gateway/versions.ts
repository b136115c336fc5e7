import { RpcError, rpcCodes } from './rpc.ts';

/** Newest first. */
export const modernVersions: readonly string[] = ['2026-07-28'];

/** Undefined for a version of the modern era that is spoken here. */
export function refusedVersion(requested: unknown): RpcError | undefined {
  if (typeof requested === 'string' && modernVersions.includes(requested)) return undefined;
  const shown = typeof requested === 'string' ? requested.slice(0, SHOWN_CHARS_MAX) : typeof requested;
  const message = `The protocol “${shown}” is not spoken here.`;
  return new RpcError(rpcCodes.unsupportedVersion, message, { supported: modernVersions, requested: shown });
}

const SHOWN_CHARS_MAX = 100;
