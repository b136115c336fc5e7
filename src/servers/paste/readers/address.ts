import { transportOfUrl } from '../entry.ts';
import { findUrls } from '../urls.ts';
import { NOTHING, type Found, type Reader, type Reading, type View } from '../view.ts';
import { isMcpAddress, isServerAddress } from './prose.ts';

export const addressReader: Reader = { name: 'address', read: readAddresses };

function readAddresses(view: View): Reading {
  const urls = findUrls(view).filter(({ url }) => isServerAddress(url));
  const only = urls.length > 0 && urls.every(({ url }) => url === urls[0]?.url);
  const chosen =
    only && (isMostOf(view, urls[0]?.url ?? '') || invited(view))
      ? urls.slice(0, 1)
      : urls.filter(({ url }) => isMcpAddress(url));
  const found = chosen.map(({ url, at }): Found => ({
    draft: { name: null, transport: transportOfUrl(url), url, extra: {} },
    at,
    rank: 'address',
    document: at,
  }));
  if (found.length === 0) return bareHost(view);
  return {
    found: sameEndpointOnce(found),
    claims: chosen.map(({ at, end }) => ({ from: at, to: end })),
    format: 'an address',
  };
}

function isMostOf({ text }: View, url: string): boolean {
  const around = text
    .replaceAll(url, ' ')
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
  return around.length <= 40;
}

function invited({ text }: View): boolean {
  return text.length < 1_000 && /\bmcp\b|connector|\bserver\b/i.test(text.replaceAll(/https?:\S+/g, ' '));
}

/** This machine has many names: with the same port and path they are one server. */
function sameEndpointOnce(found: readonly Found[]): readonly Found[] {
  const seen = new Set<string>();
  return found.filter(({ draft }) => {
    const key = (draft.url ?? '')
      .replace(
        /^(\w+:\/\/)(?:localhost|127\.0\.0\.1|0\.0\.0\.0|host\.docker\.internal|\[::1\])(?=[:/]|$)/i,
        '$1localhost',
      )
      .replace(/\/$/, '');
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}

/** `mcp.example.com/mcp` without a scheme, as the whole paste. */
function bareHost({ text }: View): Reading {
  const host =
    /^\s*((?:[\w-]+\.)+[a-z]{2,}(?::\d{1,5})?(?:\/[^\s]*)?|localhost:\d{1,5}(?:\/[^\s]*)?)\s*$/i.exec(
      text.length < 500 ? text : '',
    )?.[1];
  if (host === undefined || !/mcp|sse|localhost/i.test(host)) return NOTHING;
  const url = `${host.startsWith('localhost') ? 'http' : 'https'}://${host}`;
  return {
    found: [
      {
        draft: { name: null, transport: transportOfUrl(url), url, extra: {} },
        at: 0,
        rank: 'address',
        document: 0,
      },
    ],
    claims: [],
    changes: [{ line: 1, what: `the address had no scheme; it was read as ${url}` }],
    corrected: [url],
    format: 'an address',
  };
}
