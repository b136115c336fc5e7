import { defined } from '../../base/defined.ts';
import type { Hub, Offered } from '../../hub/hub.ts';
import { exitCodes, type ExitCode } from '../exit-codes.ts';
import { renderResource } from '../render/call-result.ts';
import { flexible, printTable } from '../render/table.ts';
import { listOf, withServerName, type OfServer, type Session } from '../session.ts';
import { textOrJson } from '../render/text.ts';
import { strong, type Piece } from '../output.ts';

interface ResourcesArgs extends OfServer {
  readonly uri?: string;
}

/** `plug resources [SERVER] [URI]`: what can be read; with an address, reads it. */
export async function resources(hub: Hub, args: ResourcesArgs, session: Session): Promise<ExitCode> {
  const { server, uri } = args;
  if (server !== undefined && uri !== undefined) return await readResource(hub, { server, uri }, session);
  return await listResources(hub, defined({ server }), session);
}

async function listResources(hub: Hub, of: OfServer, { out }: Session): Promise<ExitCode> {
  const found = await listOf(hub, of, () => hub.resources.list(of));
  out.document({ resources: found.resources.map(flat), templates: found.templates.map(flat) });
  if (out.json) return exitCodes.ok;
  const rows = [
    ...found.resources.map((one) => rowOf(one, one.definition['uri'])),
    ...found.templates.map((one) => rowOf(one, one.definition['uriTemplate'])),
  ];
  if (rows.length === 0) out.line('No resources are known.');
  else {
    const columns = ['SERVER', flexible('URI'), flexible('NAME')];
    printTable(out, columns, rows);
  }
  return exitCodes.ok;
}

async function readResource(
  hub: Hub,
  request: { readonly server: string; readonly uri: string },
  { out, signal }: Session,
): Promise<ExitCode> {
  const result = await withServerName(hub, request.server, () => hub.resources.read(request, { signal }));
  out.document(result);
  const contents = Array.isArray(result['contents']) ? (result['contents'] as readonly unknown[]) : [];
  for (const content of contents) out.body(renderResource(content));
  return exitCodes.ok;
}

/** The definition as its server sent it, with the server's name. */
function flat({ server, definition }: Offered): Readonly<Record<string, unknown>> {
  return { ...definition, server };
}

function rowOf({ server, definition }: Offered, uri: unknown): readonly Piece[] {
  const name = definition['title'] ?? definition['name'] ?? '';
  return [strong(server), textOrJson(uri), textOrJson(name)];
}
