export interface Uris {
  out(server: string, uri: string): string;
  /** Undefined for a foreign address. */
  back(uri: string): { readonly server: string; readonly uri: string } | undefined;
}

export function ownUris(only: string): Uris {
  return { out: (_server, uri) => uri, back: (uri) => ({ server: only, uri }) };
}

/** `plug://SERVER/ADDRESS`: servers may share addresses. `ui://` is kept, since hosts recognize it. */
export const namespacedUris: Uris = {
  out: (server, uri) =>
    uri.startsWith('ui://')
      ? `ui://${HOST}/${server}/${uri.slice('ui://'.length)}`
      : `plug://${server}/${uri}`,
  back: (uri) => {
    const [, uiServer, rest] = UI.exec(uri) ?? [];
    if (uiServer !== undefined && rest !== undefined) return { server: uiServer, uri: `ui://${rest}` };
    const [, server, original] = PLUG.exec(uri) ?? [];
    return server === undefined || original === undefined ? undefined : { server, uri: original };
  },
};

const HOST = 'plug';
const UI = /^ui:\/\/plug\/([^/]+)\/(.*)$/s;
const PLUG = /^plug:\/\/([^/]+)\/(.+)$/s;
