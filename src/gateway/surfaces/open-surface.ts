import type { Mode } from '../scope.ts';
import { allSurface, oneServerSurface } from './all.ts';
import { codeSurface } from './code.ts';
import { autoSurface } from './auto.ts';
import type { ModeSurface, SurfaceParts } from './parts.ts';
import { searchSurface } from './search.ts';
import { serversSurface } from './servers.ts';
import { withApps } from './with-apps.ts';

export function openSurface(mode: Mode, parts: SurfaceParts): ModeSurface {
  // One server is passed through as it is, apps included.
  if (mode === 'all' && parts.onlyServer !== undefined) return oneServerSurface(parts);
  return withApps((forModels) => modelSurface(mode, forModels), parts);
}

function modelSurface(mode: Mode, parts: SurfaceParts): ModeSurface {
  switch (mode) {
    case 'all':
      return allSurface(parts);
    case 'servers':
      return serversSurface(parts);
    case 'search':
      return searchSurface(parts);
    case 'code':
      return codeSurface(parts);
    case 'auto':
      break;
  }
  const all = parts.onlyServer === undefined ? allSurface(parts) : oneServerSurface(parts);
  return autoSurface({ all, servers: serversSurface(parts), search: searchSurface(parts) }, parts);
}
