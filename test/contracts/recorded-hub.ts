import type { FoldersHub } from '../../src/api/folders.ts';
import type { HostHandlers } from '../../src/connections/host.ts';
import type { Hub, HubStatus } from '../../src/hub/hub.ts';
import type { HubOptions } from '../../src/hub/open-hub.ts';
import { mapOperations, type Apis, type Run } from '../../src/hub/operations/table.ts';
import { openMemoryHub } from './running-hub.ts';

export interface RecordedHub {
  /** Opens a hub on a database in memory, without servers: for `startHub`. */
  readonly open: () => Promise<FoldersHub>;
  /** The operations that reached it, by name. */
  readonly reached: string[];
  /** What the hosts that are attached now answer, by id. */
  readonly hosts: ReadonlyMap<string, HostHandlers>;
  /** How many listen to its events now. */
  readonly watchers: () => number;
}

/** A real hub that notes what reaches it: for what stands before a hub. */
export function recordedHub(status: Partial<HubStatus> = {}, more: Partial<HubOptions> = {}): RecordedHub {
  const reached: string[] = [];
  const hosts = new Map<string, HostHandlers>();
  let watchers = 0;
  const recorded = (hub: Hub): Hub => {
    const apis = mapOperations((area, name): Run => {
      const run = (hub[area] as unknown as Readonly<Record<string, Run>>)[name] as Run; // a row has a method
      return (input, options) => {
        reached.push(`${area}.${name}`);
        return run(input, options);
      };
    }) as Apis; // the same methods
    return {
      ...apis,
      hosts: {
        ...apis.hosts,
        attach: async (host) => {
          const attached = await apis.hosts.attach(host);
          hosts.set(attached.id, host.handlers);
          const close = async (): Promise<void> => {
            hosts.delete(attached.id);
            await attached.close();
          };
          return { ...attached, close, [Symbol.asyncDispose]: close };
        },
      },
      status: async () => {
        reached.push('status');
        return { ...(await hub.status()), ...status };
      },
      watch: async function* watch(options) {
        watchers += 1;
        try {
          yield* hub.watch(options);
        } finally {
          watchers -= 1;
        }
      },
      close: () => closing(hub),
      [Symbol.asyncDispose]: () => closing(hub),
    };
  };
  const closing = (hub: Hub): Promise<void> => {
    reached.push('close');
    return hub.close();
  };
  const open = async (): Promise<FoldersHub> => {
    const hub = await openMemoryHub(more);
    // It is seen from one folder only, and so has no gateway beside it.
    return { ...recorded(hub), as: (client) => recorded(hub.as(client)) };
  };
  return { open, reached, hosts, watchers: () => watchers };
}
