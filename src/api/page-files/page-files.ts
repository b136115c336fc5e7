import { readdir, readFile, stat } from 'node:fs/promises';
import { extname, join, relative, sep } from 'node:path';
import { hasCode } from '../../base/errors.ts';
import { ALWAYS } from '../answer.ts';
import { doorLimits } from '../page-door/limits.ts';
import { FRAME_NAME, PAGE_NAME } from '../page-door/paths.ts';

/** The built page. Files are read when a browser asks: an idle hub holds none of them. */
export class PageFiles {
  readonly #folder: string;
  #listing: Listing | undefined;

  constructor(folder: string) {
    this.#folder = folder;
  }

  async serve(
    request: Request,
    kind: 'document' | 'file' | 'frame',
    port: number,
  ): Promise<Response | undefined> {
    const { pathname, search } = new URL(request.url);
    if (kind === 'file') return this.file(pathname);
    const host = request.headers.get('host')?.toLowerCase();
    if (kind === 'frame') return host === `${FRAME_NAME}:${port}` ? this.frame(port) : undefined;
    // Programs don't send this header; a browser does, and shows only documents as pages.
    if ((request.headers.get('sec-fetch-dest') ?? 'document') !== 'document') return undefined;
    if (host === `${PAGE_NAME}:${port}`) return this.document(port);
    const location = `http://${PAGE_NAME}:${port}${pathname}${search}`;
    return new Response(null, { status: 302, headers: { ...ALWAYS, location } });
  }

  /** The one document of all places in the page; never cached, as it names files that change with it. */
  document(port: number): Promise<Response> {
    return this.#html('index.html', pageHeaders(`http://${FRAME_NAME}:${port}`));
  }

  /** For people who sign in: no apps of servers, which need an origin of their own. */
  async teamDocument(): Promise<Response> {
    const served = await this.#html('index.html', pageHeaders("'none'"));
    const marked = (await served.text()).replace('<html lang="en"', '<html lang="en" data-team');
    return new Response(marked, served);
  }

  frame(port: number): Promise<Response> {
    return this.#html('app-frame/index.html', frameHeaders(port));
  }

  async file(path: string): Promise<Response | undefined> {
    const name = path.slice(1);
    const type = TYPES[extname(name)];
    const bytes = type === undefined ? undefined : await this.#read(name);
    if (type === undefined || !bytes) return undefined;
    // Names under assets contain a hash of the content.
    const cache = name.startsWith('assets/') ? 'public, max-age=31536000, immutable' : 'no-cache';
    return new Response(bytes, { headers: { ...ALWAYS, 'content-type': type, 'cache-control': cache } });
  }

  async #html(name: string, headers: HeaderFields): Promise<Response> {
    const html = await this.#read(name);
    if (html) return new Response(html, { headers: { ...headers, ...HTML } });
    return new Response(NOT_BUILT, { status: 503, headers: { ...ALWAYS, ...HTML } });
  }

  /** Reads only listed files, so that no path leads elsewhere. */
  async #read(name: string): Promise<Uint8Array<ArrayBuffer> | undefined> {
    this.#listing = await listFiles(this.#folder, this.#listing);
    if (!this.#listing?.names.has(name)) return undefined;
    return readFile(join(this.#folder, name));
  }
}

const HTML = { 'content-type': 'text/html; charset=utf-8' } as const;

const NOT_BUILT = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Plugboard</title>
<p>The page was not built: npm run build</p></html>`;

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

interface Listing {
  readonly names: ReadonlySet<string>;
  readonly builtAt: number;
}

/** The previous listing as long as the build is the same; undefined without a build. */
async function listFiles(folder: string, before: Listing | undefined): Promise<Listing | undefined> {
  const index = await stat(join(folder, 'index.html')).catch((error: unknown) => {
    if (hasCode(error, 'ENOENT') || hasCode(error, 'ENOTDIR')) return undefined;
    throw error;
  });
  if (!index) return undefined;
  if (before?.builtAt === index.mtimeMs) return before;
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  // A link is no file of ours, wherever it leads.
  const names = entries
    .filter((entry) => entry.isFile())
    .slice(0, doorLimits.filesMax)
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join('/'));
  return { names: new Set(names), builtAt: index.mtimeMs };
}

type HeaderFields = Readonly<Record<string, string>>;

/** Allows our files, the hub, data and blob media, and the frame for apps; no inline script or style. */
function pageHeaders(frames: string): HeaderFields {
  return {
    ...ALWAYS,
    'content-security-policy': policy({
      'default-src': "'none'",
      'script-src': "'self'",
      'style-src': "'self'",
      'img-src': "'self' data: blob:",
      'media-src': 'data: blob:',
      'font-src': "'self'",
      'connect-src': "'self'",
      'manifest-src': "'self'",
      'frame-src': frames,
      'form-action': "'none'",
      'base-uri': "'none'",
      'frame-ancestors': "'none'",
      'require-trusted-types-for': "'script'",
    }),
  };
}

/**
 * The policy of the frame, which the app inside inherits and cannot widen. It allows what any app may
 * declare; the frame narrows it to what this one did. Nothing on this machine can be reached, and no
 * other document can replace the app, which would carry data out in its address.
 */
function frameHeaders(port: number): HeaderFields {
  const { 'x-frame-options': _framed, ...always } = ALWAYS;
  return {
    ...always,
    'x-dns-prefetch-control': 'off',
    // A second wall where browsers know it: no connection but these, of any kind, and none by WebRTC.
    'connection-allowlist': '(response-origin "https://*:*/*")',
    'content-security-policy': policy({
      'default-src': "'none'",
      'script-src': "'self' 'unsafe-inline' https:",
      'style-src': "'self' 'unsafe-inline' https:",
      'img-src': 'data: blob: https:',
      'media-src': 'data: blob: https:',
      'font-src': 'data: https:',
      'connect-src': 'https: wss:',
      'frame-src': "'none'",
      'form-action': "'none'",
      'base-uri': "'none'",
      'frame-ancestors': `http://${PAGE_NAME}:${port}`,
    }),
  };
}

function policy(directives: HeaderFields): string {
  return Object.entries(directives)
    .map(([name, sources]) => `${name} ${sources}`)
    .join('; ');
}
