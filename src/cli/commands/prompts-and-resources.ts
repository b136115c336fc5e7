import { defined } from '../../base/defined.ts';
import { isObject } from '../../base/json.ts';
import type { Offered } from '../../hub/hub.ts';
import { splitPair } from '../arguments.ts';
import { faint, strong, type Piece } from '../output.ts';
import { renderContent, renderResource } from '../render/call-result.ts';
import { flexible, printTable } from '../render/table.ts';
import { textOrJson } from '../render/text.ts';
import { listOf, withServerName, type HubSession, type OfServer, type Texts } from '../session.ts';

type PromptsArgs = Texts<'server' | 'name' | 'account'> & { readonly pairs: readonly string[] };

export async function prompts(
  { server, name, pairs, account }: PromptsArgs,
  session: HubSession,
): Promise<void> {
  if (server === undefined || name === undefined) return await listPrompts(defined({ server }), session);
  const { hub, out, signal } = session;
  const args = Object.fromEntries(pairs.map(splitPair).map(({ key, value }) => [key, value]));
  const result = await withServerName(hub, server, () =>
    hub.prompts.get({ server, name, args, ...defined({ account }) }, { signal }),
  );
  out.document(result);
  for (const message of listIn(result, 'messages').filter(isObject)) {
    const lead = [faint(`${textOrJson(message['role'])}: `)];
    out.quote(renderContent(message['content']), { lead });
  }
}

async function listPrompts(of: OfServer, { hub, out }: HubSession): Promise<void> {
  const { prompts: found } = await listOf(hub, of, () => hub.prompts.list(of));
  if (out.document({ prompts: found.map(flat) })) return;
  const columns = ['SERVER', 'PROMPT', flexible('ARGUMENTS'), flexible('DESCRIPTION')];
  printTable(out, columns, found.map(promptRow), 'No prompts are known.');
}

function promptRow({ server, definition }: Offered): readonly Piece[] {
  const names = listIn(definition, 'arguments')
    .filter(isObject)
    .map((arg) => `${textOrJson(arg['name'])}${arg['required'] ? '' : '?'}`);
  const description = textOrJson(definition['description'] ?? '');
  return [strong(server), textOrJson(definition['name']), names.join(' '), description];
}

export async function resources(
  args: Texts<'server' | 'uri' | 'account'>,
  session: HubSession,
): Promise<void> {
  const { server, uri, account } = args;
  if (server === undefined || uri === undefined) return await listResources(defined({ server }), session);
  const { hub, out, signal } = session;
  const result = await withServerName(hub, server, () =>
    hub.resources.read({ server, uri, ...defined({ account }) }, { signal }),
  );
  out.document(result);
  for (const content of listIn(result, 'contents')) out.body(renderResource(content));
}

async function listResources(of: OfServer, { hub, out }: HubSession): Promise<void> {
  const found = await listOf(hub, of, () => hub.resources.list(of));
  if (out.document({ resources: found.resources.map(flat), templates: found.templates.map(flat) })) return;
  const rows = [
    ...found.resources.map((one) => resourceRow(one, 'uri')),
    ...found.templates.map((one) => resourceRow(one, 'uriTemplate')),
  ];
  printTable(out, ['SERVER', flexible('URI'), flexible('NAME')], rows, 'No resources are known.');
}

function resourceRow({ server, definition }: Offered, uri: string): readonly Piece[] {
  const name = definition['title'] ?? definition['name'] ?? '';
  return [strong(server), textOrJson(definition[uri]), textOrJson(name)];
}

function flat({ server, definition }: Offered): Readonly<Record<string, unknown>> {
  return { ...definition, server };
}

function listIn(value: Readonly<Record<string, unknown>>, field: string): readonly unknown[] {
  const list = value[field];
  return Array.isArray(list) ? list : [];
}
