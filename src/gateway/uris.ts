/** How addresses of resources are shown to hosts and understood again. */
export interface Uris {
  out(server: string, uri: string): string;
  /** Undefined for an address that is none of ours. */
  back(uri: string): { readonly server: string; readonly uri: string } | undefined;
}

/** An endpoint of one server shows its addresses as they are. */
export function ownUris(only: string): Uris {
  return { out: (_server, uri) => uri, back: (uri) => ({ server: only, uri }) };
}

/**
 * Two servers may use the same address for different things, so that each is written behind its
 * server: `plug://SERVER/` and the address as it was. What follows stays readable, and a template
 * stays a template. Hosts know the user interfaces of tools by their scheme, which is kept.
 */
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
