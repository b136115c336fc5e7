/** The app's text behind its policy and its hold: what stands first in a document, nothing after it undoes. */
export function underPolicy(html: string, policy: string): string {
  const hold = `(${holdApp.toString()})((${frameRenamer.toString()})())`;
  const meta = `<meta http-equiv="Content-Security-Policy" content="${policy}">`;
  return `<!doctype html>${meta}<script>${hold}</script>${frameRenamer()(html)}`;
}

/**
 * What stands before an app's text and keeps it in its sandbox. A content security policy knows nothing
 * of WebRTC, and it lets a document fill frames of its own with text (`srcdoc`, `javascript:`), each of
 * which has everything again that was taken away from the first. So what connects past the policy is
 * taken away, and no frame is ever filled: the browser itself asks here about every text that is to
 * become markup or code, because the policy demands trusted types and allows no policy but this one.
 *
 * What is here is written into the app's document as it stands, so it uses nothing from outside. The
 * app shares its world and may change every method in it: what is called later is held from the start.
 */
function holdApp(framesRenamed: (html: string) => string): void {
  const globals = window as unknown as Record<string, unknown>;
  // The types of TypeScript do not know them yet; the frame has made sure that the browser does.
  const trustedTypes = globals['trustedTypes'] as {
    readonly createPolicy: (name: string, rules: object) => unknown;
  };
  // By name, because here a method without its owner is what is wanted.
  const held = (owner: object, method: string): unknown =>
    Function.prototype.call.bind(Reflect.get(owner, method) as () => void);
  const slice = held(String.prototype, 'slice') as (text: string, from: number, to: number) => string;
  const lastIndexOf = held(String.prototype, 'lastIndexOf') as (text: string, part: string) => number;
  trustedTypes.createPolicy('default', {
    createHTML(text: string, _type: string, sink: string) {
      switch (sink) {
        case 'Element innerHTML':
        case 'Element outerHTML':
        case 'Element insertAdjacentHTML':
        case 'Element setHTMLUnsafe':
        case 'ShadowRoot innerHTML':
        case 'ShadowRoot setHTMLUnsafe':
        case 'Range createContextualFragment':
        case 'Document write':
        case 'Document writeln':
        case 'Document execCommand':
        case 'Document parseHTMLUnsafe':
        case 'DOMParser parseFromString':
          return framesRenamed(text);
        default:
          // Anywhere else, as in srcdoc, it would become a document of its own.
          return '';
      }
    },
    /** Code of this document alone, which is that of its scripts and handlers: an address may belong to a frame. */
    createScript(text: string, _type: string, sink: string) {
      const isScript =
        slice(sink, 0, 18) === 'HTMLScriptElement ' || slice(sink, 0, 17) === 'SVGScriptElement ';
      const last = lastIndexOf(sink, ' ') + 1;
      return isScript || slice(sink, last, last + 2) === 'on' ? text : undefined;
    },
    // Where a script may come from is the content security policy's business.
    createScriptURL: (text: string) => text,
  });
  for (const name of Object.getOwnPropertyNames(window)) {
    if (/^(?:webkit)?RTC/.test(name)) delete globals[name];
  }
  // Libraries that know trusted types would want policies of their own; without them they use plain text.
  for (const name of ['trustedTypes', 'WebTransport', 'WebSocketStream', 'XSLTProcessor'])
    delete globals[name];
  // An answer that is parsed on arrival would bring frames that nobody was asked about.
  const type = Object.getOwnPropertyDescriptor(XMLHttpRequest.prototype, 'responseType') ?? {};
  const setType = held(type, 'set') as (request: XMLHttpRequest, type: string) => void;
  Object.defineProperties(XMLHttpRequest.prototype, {
    responseXML: { get: () => null },
    responseType: {
      ...type,
      configurable: false,
      set(this: XMLHttpRequest, wanted: unknown) {
        // Anything may be given, and be another text each time it is asked.
        if (typeof wanted === 'string' && wanted !== 'document') setType(this, wanted);
      },
    },
  });
}

/**
 * Makes the function that puts every frame of a text under a name that means nothing; a parser makes a
 * frame of no other text. Whatever changes the methods of strings afterwards does not change this one.
 */
export function frameRenamer(): (html: string) => string {
  const held = (method: string): unknown =>
    Function.prototype.call.bind(Reflect.get(String.prototype, method) as () => void);
  const slice = held('slice') as (text: string, from: number, to: number) => string;
  const indexOf = held('indexOf') as (text: string, part: string, from: number) => number;
  const lower = held('toLowerCase') as (text: string) => string;

  return (html) => {
    let renamed = '';
    let written = 0;
    for (let at = indexOf(html, '<', 0); at !== -1; at = indexOf(html, '<', at + 1)) {
      let from = at + 1;
      let end = from;
      for (; end < html.length; end += 1) {
        const letter = html[end] ?? '';
        if (letter === '<' || letter === '>' || letter === '/' || letter <= ' ') break;
        // In XML a name may have a prefix.
        if (letter === ':') from = end + 1;
      }
      // A name that ends with the text could be continued by the next text that is written.
      if (end === html.length) {
        renamed += `${slice(html, written, at)}&lt;`;
        written = at + 1;
      } else if (fillsDocument(lower(slice(html, from, end)))) {
        renamed += `${slice(html, written, from)}x-`;
        written = from;
      }
    }
    return renamed + slice(html, written, html.length);
  };

  function fillsDocument(name: string): boolean {
    switch (name) {
      case 'iframe':
      case 'frame':
      case 'frameset':
      case 'fencedframe':
      case 'object':
      case 'embed':
      case 'portal':
      // It could stand for a text with a frame in it, letter by letter.
      case '!entity':
        return true;
      default:
        return false;
    }
  }
}
