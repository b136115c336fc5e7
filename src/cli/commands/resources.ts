import type { Hub, Offered } from '../../hub/hub.ts';
import { exitCodes, type ExitCode } from '../exit-codes.ts';
import { renderResource } from '../render/call-result.ts';
import { renderTable, type Cell } from '../render/table.ts';
import { withServerName, type Session } from '../session.ts';
import { textOf } from '../render/text.ts';

/** `plug resources [SERVER]`: what can be read. */
export async function listResources(
  hub: Hub,
  server: string | undefined,
  { out }: Session,
): Promise<ExitCode> {
  const found = await withServerName(hub, server ?? '', async () => {
    if (server !== undefined) await hub.servers.get(server);
    return await hub.resources.list(server === undefined ? {} : { server });
  });
  out.document({ resources: found.resources.map(flat), templates: found.templates.map(flat) });
  if (out.json) return exitCodes.ok;
  const rows = [
    ...found.resources.map((one) => rowOf(one, one.definition['uri'])),
    ...found.templates.map((one) => rowOf(one, one.definition['uriTemplate'])),
  ];
  if (rows.length === 0) out.line('No resources are known.');
  else {
    const columns = [
      { title: 'SERVER' },
      { title: 'URI', flexible: true },
      { title: 'NAME', flexible: true },
    ];
    for (const line of renderTable({ columns, rows, width: out.width })) out.line(...line);
  }
  return exitCodes.ok;
}

/** `plug resources SERVER URI`: reads one. */
export async function readResource(
  hub: Hub,
  request: { readonly server: string; readonly uri: string },
  { out, signal }: Session,
): Promise<ExitCode> {
  const result = await withServerName(hub, request.server, () => hub.resources.read(request, { signal }));
  out.document(result);
  const contents = Array.isArray(result['contents']) ? (result['contents'] as readonly unknown[]) : [];
  for (const content of contents) out.line(renderResource(content));
  return exitCodes.ok;
}

/** The definition as its server sent it, with the server's name. */
function flat({ server, definition }: Offered): Readonly<Record<string, unknown>> {
  return { ...definition, server };
}

function rowOf({ server, definition }: Offered, uri: unknown): readonly Cell[] {
  const name = definition['title'] ?? definition['name'] ?? '';
  return [{ text: server, style: 'strong' }, { text: textOf(uri) }, { text: textOf(name) }];
}
