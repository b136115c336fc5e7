import { underPolicy } from './hold-app.ts';
import { appPolicy, type DeclaredOrigins } from './policy.ts';

/**
 * The document around an app of a server. It lives under another name than the page, so that it has
 * neither the page's cookie nor its key, and the app inside has no origin at all. It carries messages
 * between the two and says nothing of its own, apart from the two words that MCP Apps reserves for it.
 */
const READY = 'ui/notifications/sandbox-proxy-ready';
const RESOURCE = 'ui/notifications/sandbox-resource-ready';
const RESERVED = 'ui/notifications/sandbox-';
const HTML_CHARS_MAX = 8 * 1024 * 1024;

/** The page has this very port under the address in numbers; nobody else is spoken to. */
const PAGE = `http://127.0.0.1:${window.location.port}`;

let app: HTMLIFrameElement | undefined;

window.addEventListener('message', ({ data, origin, source }: MessageEvent<unknown>) => {
  if (source === window.parent && origin === PAGE) fromPage(data);
  else if (app && source === app.contentWindow) fromApp(data);
});

if (window.parent !== window) tellPage({ jsonrpc: '2.0', method: READY, params: {} });

function fromPage(data: unknown): void {
  if (methodOf(data) === RESOURCE) show((data as { readonly params?: unknown }).params);
  // An app has no origin that could be named.
  else app?.contentWindow?.postMessage(data, '*');
}

/** An app that speaks in the frame's name would be taken for it. */
function fromApp(data: unknown): void {
  if (!methodOf(data).startsWith(RESERVED)) tellPage(data);
}

function tellPage(data: unknown): void {
  window.parent.postMessage(data, PAGE);
}

function show(params: unknown): void {
  const { html, csp } = (params ?? {}) as { readonly html?: unknown; readonly csp?: unknown };
  if (typeof html !== 'string' || html.length > HTML_CHARS_MAX) return;
  app?.remove();
  // What keeps an app in its frame is asked by the browser; one that does not ask shows no app.
  if (!('trustedTypes' in window)) {
    document.body.textContent = 'This browser can’t isolate apps. Use a newer version.';
    return;
  }
  app = document.createElement('iframe');
  app.title = 'App';
  app.setAttribute('sandbox', 'allow-scripts');
  app.setAttribute('referrerpolicy', 'no-referrer');
  // An object is read field by field, each of which may be anything.
  const declared = typeof csp === 'object' && csp !== null ? (csp as DeclaredOrigins) : {};
  app.srcdoc = underPolicy(html, appPolicy(declared));
  document.body.append(app);
}

function methodOf(data: unknown): string {
  const method = typeof data === 'object' && data !== null && 'method' in data ? data.method : undefined;
  return typeof method === 'string' ? method : '';
}
