import { createContext, use } from 'react';
import type { Connection } from '../hub/live.ts';

const ConnectionContext = createContext<Connection>('connecting');

export const ConnectionProvider = ConnectionContext.Provider;

export function useConnection(): Connection {
  return use(ConnectionContext);
}
