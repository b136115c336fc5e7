import { messageOf } from '../../../src/base/errors.ts';
import { isObject } from '../../../src/base/json.ts';
import type { AppOfCall } from '../chat/conversation.ts';
import type { Approval, Hub, JsonObject } from '../hub/hub-context.tsx';
import type { ShownCall } from '../parts/call-row.tsx';
import { webAddress } from '../../../src/base/web-address.ts';
import { callForApp, readForApp, Refused } from './app-requests.ts';
import type { AppResource } from './app-resource.ts';

/** What an app wants of its person; nothing happens before they agree. */
export type AppQuestion = (
  | { readonly kind: 'link'; readonly url: string }
  | { readonly kind: 'message'; readonly text: string }
) & { readonly answer: (agreed: boolean) => void };

export interface AppBridgeOptions {
  readonly hub: Hub;
  readonly app: AppOfCall;
  readonly call: ShownCall;
  readonly resource: AppResource;
  readonly onHeight: (px: number) => void;
  readonly onQuestion: (question: AppQuestion) => void;
  /** A call of the app waits for the person. */
  readonly onApproval: (approval: Approval) => void;
}

type Theme = 'light' | 'dark';
type Id = string | number;

/**
 * The page's side of MCP Apps (2026-01-26): JSON-RPC with the app in the frame. An app may call the
 * tools of its own server, under the same policy as everybody, and read its resources. It may ask its
 * person to open a link or to send a message. Everything else is refused.
 */
export class AppBridge {
  readonly #options: AppBridgeOptions;
  readonly #origin = `${window.location.protocol}//localhost:${window.location.port}`;
  #frame: () => Window | undefined = () => undefined;
  #theme: Theme = 'light';
  #isReady = false;
  #open = 0;
  #isAsking = false;

  constructor(options: AppBridgeOptions) {
    this.#options = options;
  }

  listen(frame: () => Window | undefined): () => void {
    this.#frame = frame;
    const hear = (event: MessageEvent<unknown>): void => {
      // Another window may say what it likes; only the frame's own words count.
      if (event.origin === this.#origin && event.source === frame()) this.#hear(event.data);
    };
    window.addEventListener('message', hear);
    return () => window.removeEventListener('message', hear);
  }

  setTheme(theme: Theme): void {
    this.#theme = theme;
    if (this.#isReady) this.#notify('ui/notifications/host-context-changed', { theme });
  }

  #hear(message: unknown): void {
    if (!isObject(message) || message['jsonrpc'] !== '2.0' || typeof message['method'] !== 'string') return;
    const { id, method } = message;
    const params = isObject(message['params']) ? (message['params'] as JsonObject) : {}; // it was cloned from JSON
    if (typeof id === 'string' || typeof id === 'number') void this.#answer(id, method, params);
    else this.#note(method, params);
  }

  #note(method: string, params: JsonObject): void {
    const { resource, call, app, onHeight } = this.#options;
    switch (method) {
      case 'ui/notifications/sandbox-proxy-ready': {
        const { html, csp } = resource;
        return this.#notify('ui/notifications/sandbox-resource-ready', { html, ...(csp ? { csp } : {}) });
      }
      case 'ui/notifications/initialized':
        this.#isReady = true;
        this.#notify('ui/notifications/tool-input', { arguments: call.args });
        return this.#notify('ui/notifications/tool-result', app.result ?? textResult(call.text ?? ''));
      case 'ui/notifications/size-changed':
        if (typeof params['height'] === 'number') onHeight(params['height']);
        return undefined;
      default:
        return undefined;
    }
  }

  async #answer(id: Id, method: string, params: JsonObject): Promise<void> {
    if (this.#open >= REQUESTS_MAX) return this.#fail(id, new Refused('Too many requests at once.', -32_000));
    this.#open += 1;
    try {
      this.#send({ id, result: await this.#result(method, params) });
    } catch (error) {
      this.#fail(id, error);
    } finally {
      this.#open -= 1;
    }
  }

  #result(method: string, params: JsonObject): Promise<JsonObject> | JsonObject {
    switch (method) {
      case 'ping':
        return {};
      case 'ui/initialize':
        return this.#welcome();
      case 'tools/call':
        return callForApp(this.#options, params);
      case 'resources/read':
        return readForApp(this.#options, params);
      case 'ui/open-link': {
        const url = webAddress(params['url']);
        return url === undefined ? { isError: true } : this.#ask({ kind: 'link', url });
      }
      case 'ui/message': {
        const text = textIn(params['content']);
        return text === '' ? { isError: true } : this.#ask({ kind: 'message', text });
      }
      case 'ui/request-display-mode':
        return { mode: 'inline' };
      default:
        throw new Refused(`${method.slice(0, 100)} is not for apps.`, -32_601);
    }
  }

  #welcome(): JsonObject {
    return {
      protocolVersion: '2026-01-26',
      hostInfo: { name: 'plug', version: '1' },
      hostCapabilities: { openLinks: {}, serverTools: {}, serverResources: {}, message: { text: {} } },
      hostContext: {
        theme: this.#theme,
        displayMode: 'inline',
        availableDisplayModes: ['inline'],
        locale: navigator.language,
        platform: 'web',
      },
    };
  }

  /** One question at a time: an app that asks on and on is not heard. */
  #ask(
    about: { kind: 'link'; url: string } | { kind: 'message'; text: string },
  ): Promise<JsonObject> | JsonObject {
    if (this.#isAsking) return { isError: true };
    this.#isAsking = true;
    const { promise, resolve } = Promise.withResolvers<JsonObject>();
    this.#options.onQuestion({
      ...about,
      answer: (agreed) => {
        this.#isAsking = false;
        resolve(agreed ? {} : { isError: true });
      },
    });
    return promise;
  }

  #fail(id: Id, error: unknown): void {
    const code = error instanceof Refused ? error.code : -32_000;
    this.#send({ id, error: { code, message: messageOf(error).slice(0, 1_000) } });
  }

  #notify(method: string, params: JsonObject): void {
    this.#send({ method, params });
  }

  #send(message: object): void {
    this.#frame()?.postMessage({ jsonrpc: '2.0', ...message }, this.#origin);
  }
}

const REQUESTS_MAX = 16;
const MESSAGE_CHARS_MAX = 4_000;

function textIn(content: unknown): string {
  const blocks: readonly unknown[] = Array.isArray(content) ? content : [content];
  const texts = blocks.flatMap((block) =>
    isObject(block) && typeof block['text'] === 'string' ? [block['text']] : [],
  );
  return texts.join('\n').slice(0, MESSAGE_CHARS_MAX);
}

function textResult(text: string): JsonObject {
  return { content: [{ type: 'text', text }] };
}
