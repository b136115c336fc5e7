import { knock, type Trap } from './traps.ts';

/** Code of an app that tries one way out. `doc` is a document that knocks, `code` what it would run. */
export type Way = (trap: Trap) => string;

const IFRAME = `'<ifr' + 'ame srcdoc="' + doc.replaceAll('"', '&quot;') + '"></ifr' + 'ame>'`;
const FRAME = `var f = document.createElement('iframe'); document.body.append(f);`;
const XHTML = 'http://www.w3.org/1999/xhtml';

/** The document of the app itself, and every known way to make another one inside it. */
export const NESTED: Readonly<Record<string, Way>> = {
  itself: () => `eval2(code)`,
  'a name of its own': () => `new (window['webkit' + 'RTCPeerConnection'])()`,
  'an empty frame': () =>
    `${FRAME} var w = f.contentWindow; w.eval ? w.eval(code) : 0; new w.RTCPeerConnection()`,
  srcdoc: () => `${FRAME} f.srcdoc = doc`,
  'srcdoc as an attribute': () => `${FRAME} f.setAttribute('srcdoc', doc)`,
  'srcdoc with a namespace': () => `${FRAME} f.setAttributeNS(null, 'srcdoc', doc)`,
  'srcdoc as a node': () =>
    `${FRAME} var a = document.createAttribute('srcdoc'); a.value = doc; f.setAttributeNode(a)`,
  'srcdoc as a node, filled later': () =>
    `${FRAME} var a = document.createAttribute('srcdoc'); f.attributes.setNamedItem(a); a.textContent = doc`,
  'srcdoc of another element': () =>
    `${FRAME} var d = document.createElement('div'); d.setAttribute('srcdoc', doc); var a = d.getAttributeNode('srcdoc'); d.removeAttributeNode(a); f.attributes.setNamedItemNS(a)`,
  'another document': () =>
    `var o = document.implementation.createHTMLDocument(''); o.body.innerHTML = ${IFRAME}; document.body.append(o.body.firstChild)`,
  'a document of XML': () =>
    `var o = document.implementation.createDocument(null, 'x'); var f = o.createElementNS('${XHTML}', 'iframe'); f.setAttribute('srcdoc', doc); document.body.append(f)`,
  'a document without a page': () =>
    `var f = new Document().createElementNS('${XHTML}', 'iframe'); f.srcdoc = doc; document.body.append(document.adoptNode(f))`,
  'a parser of XML': () =>
    `var x = 'x-h'; var o = new DOMParser().parseFromString('<h:ifr' + 'ame xmlns:h="${XHTML}" xmlns:x-h="${XHTML}" srcdoc="' + doc.replaceAll('<', '&lt;').replaceAll('"', '&quot;') + '"/>', 'application/xhtml+xml'); document.body.append(o.documentElement)`,
  'a template': () =>
    `var t = document.createElement('template'); t.innerHTML = ${IFRAME}; document.body.append(t.content)`,
  'a closed shadow': () =>
    `var d = document.createElement('div'); document.body.append(d); d.attachShadow({ mode: 'closed' }).innerHTML = ${IFRAME}`,
  innerHTML: () => `var d = document.createElement('div'); document.body.append(d); d.innerHTML = ${IFRAME}`,
  insertAdjacentHTML: () => `document.body.insertAdjacentHTML('beforeend', ${IFRAME})`,
  setHTMLUnsafe: () =>
    `var d = document.createElement('div'); document.body.append(d); d.setHTMLUnsafe(${IFRAME})`,
  'a fragment': () => `document.body.append(document.createRange().createContextualFragment(${IFRAME}))`,
  'an edit': () =>
    `var d = document.createElement('div'); d.contentEditable = true; d.textContent = 'x'; document.body.append(d); getSelection().selectAllChildren(d); document.execCommand('insertHTML', false, ${IFRAME})`,
  'a written text': () => `document.write(${IFRAME})`,
  'a text written in two': () =>
    `document.write('<ifr'); document.write('ame srcdoc="' + doc.replaceAll('"', '&quot;') + '"></ifr' + 'ame>')`,
  XSLT: () =>
    `var s = new DOMParser().parseFromString('<xsl:stylesheet version="1.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform"><xsl:template match="/"><xsl:element name="{concat(&quot;ifr&quot;,&quot;ame&quot;)}"><xsl:attribute name="srcdoc">' + doc.replaceAll('<', '&lt;') + '</xsl:attribute></xsl:element></xsl:template></xsl:stylesheet>', 'text/xml'); var x = new XSLTProcessor(); x.importStylesheet(s); document.body.append(x.transformToFragment(s, document))`,
  'a frame of code': () =>
    `var f = document.createElement('iframe'); f.src = 'javascript:' + code; document.body.append(f)`,
  'a frame of code in its place': () => `${FRAME} f.contentWindow.location.replace('javascript:' + code)`,
  'a frame of code by its name': () => `${FRAME} f.name = 'named'; open('javascript:' + code, 'named')`,
  'a link into a frame': () =>
    `${FRAME} f.name = 'linked'; var a = document.createElement('a'); a.target = 'linked'; a.href = 'javascript:' + code; document.body.append(a); a.click()`,
  'a data: frame': () =>
    `var f = document.createElement('iframe'); f.src = 'data:text/html,' + encodeURIComponent(doc); document.body.append(f)`,
  'a blob: frame': () =>
    `var f = document.createElement('iframe'); f.src = URL.createObjectURL(new Blob([doc], { type: 'text/html' })); document.body.append(f)`,
  'an object': () =>
    `for (var n of ['object', 'embed']) { var o = document.createElement(n); o.type = 'text/html'; o.src = o.data = 'data:text/html,' + encodeURIComponent(doc); document.body.append(o) }`,
  'a window': () => `var w = open('about:blank'); w.document.write(doc)`,
  'a worker': () =>
    `new Worker(URL.createObjectURL(new Blob([code]))); new SharedWorker('data:text/javascript,' + code)`,
};

/** Ways that put another document into the app's place: one page each. */
export const REPLACING: Readonly<Record<string, Way>> = {
  'code in its own place': () => `location = 'javascript:' + JSON.stringify(doc)`,
  'a link to code': () =>
    `var a = document.createElement('a'); a.href = 'javascript:' + JSON.stringify(doc); document.body.append(a); a.click()`,
  'a data: document': () => `location = 'data:text/html,' + encodeURIComponent(doc)`,
  'a blob: document': () => `location = URL.createObjectURL(new Blob([doc], { type: 'text/html' }))`,
  'opening the document anew': () =>
    `setTimeout(function () { document.open(); document.write(doc); document.close() }, 50)`,
  'a set of frames': () =>
    `var s = document.createElement('frameset'), f = document.createElement('frame'); f.src = 'javascript:' + code; s.append(f); document.body.replaceWith(s)`,
  'changed methods': () =>
    `RegExp.prototype.exec = function () { return ['x'] }; RegExp.prototype.test = function () { return true };
    String.prototype.slice = function () { return 'HTMLScriptElement ' }; String.prototype.indexOf = function () { return -1 };
    String.prototype.toLowerCase = function () { return 'p' }; Array.prototype[Symbol.iterator] = function* () { yield 'p' };
    Function.prototype.call = Function.prototype.apply = function () { return 'Element innerHTML' };
    ${FRAME} f.srcdoc = doc; var d = document.createElement('div'); document.body.append(d); d.innerHTML = ${IFRAME}`,
};

/** Ways to reach an address without a document of its own. */
export const EXITS: Readonly<Record<string, Way>> = {
  'a hint': ({ tcp }) =>
    `for (var rel of ['preconnect', 'dns-prefetch', 'prefetch', 'preload', 'modulepreload', 'prerender', 'stylesheet', 'icon', 'manifest']) { var l = document.createElement('link'); l.rel = rel; l.as = 'fetch'; l.href = 'http://127.0.0.1:${tcp}/' + rel; document.head.append(l) }`,
  'a form': ({ tcp }) =>
    `var f = document.createElement('form'); f.method = 'post'; f.action = 'http://127.0.0.1:${tcp}/'; document.body.append(f); f.submit()`,
  'the page around it': ({ tcp }) =>
    `try { parent.location = 'http://127.0.0.1:${tcp}/' } catch (e) {} top.location = 'http://127.0.0.1:${tcp}/'`,
  'a new window': ({ tcp }) => `open('http://127.0.0.1:${tcp}/')`,
  'a link with a ping': ({ tcp }) =>
    `var a = document.createElement('a'); a.target = '_blank'; a.href = 'http://127.0.0.1:${tcp}/'; a.ping = a.href; document.body.append(a); a.click()`,
  'a beacon': ({ tcp }) => `navigator.sendBeacon('http://127.0.0.1:${tcp}/', 'x')`,
  'a request': ({ tcp }) =>
    `fetch('http://127.0.0.1:${tcp}/', { mode: 'no-cors', keepalive: true }).catch(function () {}); var x = new XMLHttpRequest(); x.open('GET', 'http://127.0.0.1:${tcp}/'); x.send()`,
  'a stream': ({ tcp }) =>
    `new EventSource('http://127.0.0.1:${tcp}/'); new WebSocket('ws://127.0.0.1:${tcp}/'); new WebSocketStream('ws://127.0.0.1:${tcp}/')`,
  QUIC: ({ udp }) => `new WebTransport('https://127.0.0.1:${udp}/')`,
  'a picture': ({ tcp }) => `new Image().src = 'http://127.0.0.1:${tcp}/'`,
  'a style': ({ tcp }) =>
    `var s = document.createElement('style'); s.textContent = '@import url(http://127.0.0.1:${tcp}/a); body { background: url(http://127.0.0.1:${tcp}/b) } @font-face { font-family: x; src: url(http://127.0.0.1:${tcp}/c) } body { font-family: x }'; document.head.append(s)`,
  'a rule for guessing': ({ tcp }) =>
    `var s = document.createElement('script'); s.type = 'speculationrules'; s.textContent = JSON.stringify({ prefetch: [{ source: 'list', urls: ['http://127.0.0.1:${tcp}/'], eagerness: 'immediate' }] }); document.head.append(s)`,
};

/** Ways to an address that end the app's document: one page each. */
export const LEAVING: Readonly<Record<string, Way>> = {
  'a refresh': ({ tcp }) =>
    `var m = document.createElement('meta'); m.httpEquiv = 'refresh'; m.content = '0;url=http://127.0.0.1:${tcp}/'; document.head.append(m)`,
  'its own place': ({ tcp }) => `location = 'http://127.0.0.1:${tcp}/?what=it+knows'`,
};

/** An app that tries the ways one after the other and writes down that it did. */
export function escaping(ways: readonly (readonly [name: string, way: Way, trap: Trap])[]): string {
  const tries = ways.map(([name, way, trap]) => {
    const code = knock(trap);
    const doc = `<script>${code}</script>`;
    return `attempt(${inScript(name)}, ${inScript(doc)}, ${inScript(code)}, function (doc, code) { ${way(trap)} });`;
  });
  return `<!doctype html><body><pre id="log"></pre><script>
var log = document.querySelector('#log');
function eval2(code) { var s = document.createElement('script'); s.textContent = code; document.body.append(s); }
function attempt(name, doc, code, act) { log.textContent += name + '=tried\\n'; try { act(doc, code); } catch (e) {} }
${tries.join('\n')}
</script></body>`;
}

function inScript(text: string): string {
  return JSON.stringify(text).replaceAll('</', '<\\/');
}
