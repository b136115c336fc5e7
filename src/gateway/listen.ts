import { once } from 'node:events';
import { isObject, type JsonObject } from '../base/json.ts';
import type { Subscription } from '../hub/hub.ts';
import type { Exchange, ModernRequest } from './gateway.ts';
import type { ListKind } from './hub-view.ts';
import type { OpenScope } from './open-scopes.ts';
import { idJson, RpcError, rpcCodes } from './rpc.ts';
import { gatewayLimits } from './limits.ts';

const SUBSCRIPTION = 'io.modelcontextprotocol/subscriptionId';

const FLAGS: Readonly<Record<ListKind, string>> = {
  tools: 'toolsListChanged',
  resources: 'resourcesListChanged',
  prompts: 'promptsListChanged',
};

interface Listening {
  readonly openScope: OpenScope;
  readonly request: ModernRequest;
  readonly exchange: Exchange;
  readonly host: string;
  readonly closing: AbortSignal;
}

export async function listenForChanges(listening: Listening): Promise<JsonObject> {
  const { openScope, request, exchange, host, closing } = listening;
  const { endpoint, changes, resources } = openScope;
  if (changes.listeners >= gatewayLimits.listenersMax) {
    throw new RpcError(rpcCodes.internalError, 'Too many hosts listen already.');
  }
  const wanted = request.params['notifications'];
  if (!isObject(wanted)) {
    throw new RpcError(rpcCodes.invalidParams, 'A subscription says which notifications it wants.');
  }
  const kinds = new Set((Object.keys(FLAGS) as ListKind[]).filter((kind) => wanted[FLAGS[kind]] === true));
  const watched = await watchAll(openScope, wanted['resourceSubscriptions'], host);
  const tag = { [SUBSCRIPTION]: idJson(request.id) };
  const tell = (method: string, params: JsonObject): void =>
    exchange.notify(method, { ...params, _meta: tag });
  const honoured: JsonObject = {
    ...Object.fromEntries([...kinds].map((kind) => [FLAGS[kind], true])),
    ...(watched.size > 0 ? { resourceSubscriptions: [...watched.keys()] } : {}),
  };
  tell('notifications/subscriptions/acknowledged', { notifications: honoured });
  const stop = changes.listen({
    onLists: (changed) => {
      for (const kind of changed) if (kinds.has(kind)) tell(`notifications/${kind}/list_changed`, {});
    },
    onResource: (server, uri) => {
      const shown = endpoint.uris.out(server, uri);
      if (watched.has(shown)) tell('notifications/resources/updated', { uri: shown });
    },
  });
  try {
    const over = AbortSignal.any([exchange.signal, closing]);
    if (!over.aborted) await once(over, 'abort');
  } finally {
    stop();
    for (const each of watched.values()) resources.unwatch(each);
  }
  return { resultType: 'complete', _meta: tag };
}

/** Resources that can't be watched are left out of the acknowledgement. */
async function watchAll(scope: OpenScope, uris: unknown, host: string): Promise<Map<string, Subscription>> {
  const { endpoint, resources } = scope;
  const watched = new Map<string, Subscription>();
  const reaches = await endpoint.reach();
  for (const shown of Array.isArray(uris) ? uris.slice(0, gatewayLimits.watchedResourcesMax) : []) {
    const found = typeof shown === 'string' && !watched.has(shown) ? endpoint.uris.back(shown) : undefined;
    if (!found || typeof shown !== 'string' || !reaches(found.server)) continue;
    try {
      const each = { ...found, host };
      await resources.watch(each);
      watched.set(shown, each);
    } catch {
      // Its server doesn't allow watching.
    }
  }
  return watched;
}
