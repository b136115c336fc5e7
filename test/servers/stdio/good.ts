import type { Readable } from 'node:stream';
import type { Server } from '@modelcontextprotocol/server';
import { serveStdio, StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import type { Params } from '../params.ts';
import { richServer } from '../rich/server.ts';
import { newWorld } from '../rich/world.ts';

/** Speaks 2026-07-28 only: `initialize` is refused with the versions that it does speak. */
export function modern(params: Params): void {
  const world = newWorld({ page: params.number('page', 0) });
  serveStdio(() => richServer({ era: 'modern', world, listens: true }), { legacy: 'reject' });
}

/** Speaks only the versions before 2026; `version=` pins one of them. */
export async function legacy(params: Params): Promise<void> {
  await startLegacy(params);
}

/** Speaks whatever the host opens with. */
export function dual(params: Params): void {
  const world = newWorld({ page: params.number('page', 0) });
  serveStdio(({ era }) => richServer({ era, world, listens: true }));
}

/** The legacy server as the ground that bad behaviors stand on. */
export async function startLegacy(
  params: Params,
  options: { readonly onReady?: (server: Server) => void; readonly input?: Readable } = {},
): Promise<void> {
  const world = newWorld({ page: params.number('page', 0) });
  const server = richServer({ era: 'legacy', world, listens: true, version: params.text('version') });
  server.oninitialized = () => options.onReady?.(server);
  await server.connect(new StdioServerTransport(options.input));
}
