import type { Workspace } from '../workspace.ts';
import type { NewChange } from './journal.ts';

/** The change that adding a server is. */
export function addition(workspace: Workspace, id: string): NewChange {
  return { kind: workspace.knows(id) ? 'replace' : 'add', names: [id], servers: [id] };
}
