import type { ServerView } from '../src/hub/hub.ts';

/** A server as the hub lists it, with nothing special about it but what is given. */
export function serverView(given: Partial<ServerView> & Pick<ServerView, 'id' | 'state'>): ServerView {
  return {
    name: given.id,
    transport: 'stdio',
    target: 'npx x',
    enabled: true,
    readOnly: false,
    source: { kind: 'manual' },
    trust: 'none',
    toolCount: 0,
    toolsOffered: 0,
    apps: false,
    problems: [],
    ...given,
  };
}
