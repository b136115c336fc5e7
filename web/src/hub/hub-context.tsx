import { createContext, use } from 'react';
import type { Hub } from '../../../src/hub/hub.ts';

export type * from '../../../src/hub/hub.ts';
export type { ErrorView } from '../../../src/base/errors.ts';
export type { JsonObject, Json } from '../../../src/base/json.ts';
export type { ServerState, ServerEvent } from '../../../src/connections/state.ts';

const HubContext = createContext<Hub | undefined>(undefined);

export const HubProvider = HubContext.Provider;

export function useHub(): Hub {
  const hub = use(HubContext);
  if (!hub) throw new Error('useHub is used outside of HubProvider');
  return hub;
}
