import type { Mode } from '../scope.ts';
import { allSurface, oneServerSurface } from './all.ts';
import { autoSurface } from './auto.ts';
import { codeSurface } from './code.ts';
import type { ModeSurface, SurfaceParts } from './parts.ts';
import { searchSurface } from './search.ts';
import { serversSurface } from './servers.ts';

/** What an endpoint shows of its tools. One surface serves all hosts of a scope. */
export function openSurface(mode: Mode, parts: SurfaceParts): ModeSurface {
  switch (mode) {
    case 'all':
      return parts.onlyServer === undefined ? allSurface(parts) : oneServerSurface(parts);
    case 'servers':
      return serversSurface(parts);
    case 'search':
      return searchSurface(parts);
    case 'code':
      return codeSurface(parts);
    case 'auto':
      break;
  }
  const all = openSurface('all', parts);
  return autoSurface({ all, servers: serversSurface(parts), search: searchSurface(parts) }, parts);
}
