import { useEffect, useRef } from 'react';
import type { ServerView } from '../hub/hub-context.tsx';
import { repairOf, type Repair } from './repair.ts';

/** A form stays while the server is tried again: what is being typed in it would be lost. */
export function useRepair(server: ServerView): Repair {
  const now = repairOf(server);
  const last = useRef<Repair>(now);
  const isStarting = server.state.kind === 'starting';
  const shown = isStarting && HAS_FIELDS.has(last.current.form) ? last.current : now;
  useEffect(() => {
    last.current = shown;
  });
  return shown;
}

const HAS_FIELDS: ReadonlySet<Repair['form']> = new Set(['values', 'folder', 'port']);
