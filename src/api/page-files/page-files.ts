import { readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { ALWAYS } from '../answer.ts';
import { FRAME_NAME, PAGE_NAME } from '../page-door/paths.ts';
import { frameHeaders, pageHeaders } from './headers.ts';
import { listFiles, type Listing } from './listing.ts';

/** The built page. Files are read when they are asked for: a hub at rest holds none of them. */
export class PageFiles {
  readonly #folder: string;
  #listing: Listing | undefined;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Undefined when there is nothing of this kind at this address. */
  async serve(
    request: Request,
    kind: 'document' | 'file' | 'frame',
    port: number,
  ): Promise<Response | undefined> {
    const { pathname, search } = new URL(request.url);
    if (kind === 'file') return this.file(pathname);
    const host = request.headers.get('host')?.toLowerCase();
    if (kind === 'frame') return host === `${FRAME_NAME}:${port}` ? this.frame(port) : undefined;
    if (!isNavigation(request)) return undefined;
    const isPage = host === `${PAGE_NAME}:${port}`;
    return isPage ? this.document(port) : movedTo(`http://${PAGE_NAME}:${port}${pathname}${search}`);
  }

  /** The one document of all places in the page; never cached, as it names files that change with it. */
  async document(port: number): Promise<Response> {
    const html = await this.#read('index.html');
    return html ? new Response(html, { headers: { ...pageHeaders(port), ...HTML } }) : notBuilt();
  }

  /** The document around an app of a server. */
  async frame(port: number): Promise<Response> {
    const html = await this.#read('app-frame/index.html');
    return html ? new Response(html, { headers: { ...frameHeaders(port), ...HTML } }) : notBuilt();
  }

  /** Undefined when the page has no such file. */
  async file(path: string): Promise<Response | undefined> {
    const name = path.slice(1);
    const type = TYPES[extname(name)];
    const bytes = type === undefined ? undefined : await this.#read(name);
    if (type === undefined || !bytes) return undefined;
    // What is under assets has its content's hash in its name.
    const cache = name.startsWith('assets/') ? 'public, max-age=31536000, immutable' : 'no-cache';
    return new Response(bytes, { headers: { ...ALWAYS, 'content-type': type, 'cache-control': cache } });
  }

  /** Only what was listed is read, so that no path leads elsewhere. */
  async #read(name: string): Promise<Uint8Array<ArrayBuffer> | undefined> {
    this.#listing = await listFiles(this.#folder, this.#listing);
    if (!this.#listing?.names.has(name)) return undefined;
    return readFile(join(this.#folder, name));
  }
}

const HTML = { 'content-type': 'text/html; charset=utf-8' } as const;

const TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.webmanifest': 'application/manifest+json',
  '.txt': 'text/plain; charset=utf-8',
};

/** Programs do not say; a browser does, and then only what it shows as a page of its own is one. */
function isNavigation(request: Request): boolean {
  const dest = request.headers.get('sec-fetch-dest');
  return dest === null || dest === 'document';
}

function movedTo(location: string): Response {
  return new Response(null, { status: 302, headers: { ...ALWAYS, location } });
}

function notBuilt(): Response {
  const html = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Plugboard</title>
<p>The page was not built: npm run build</p></html>`;
  return new Response(html, { status: 503, headers: { ...ALWAYS, ...HTML } });
}
