import { createHash } from 'node:crypto';
import type { Approval } from '../../hub/hub.ts';
import { choicesOf, NOTE_CHARS_MAX } from '../../policy/approvals/choices.ts';
import { cardLines, type CardLine } from '../../policy/approvals/shown.ts';

/**
 * One question as a page without a script: everything on it is text, and the only way on is a button.
 * Enter in the note presses the first button of the form, wherever that is shown, which is therefore no.
 * For a destructive call it is one that cannot be pressed, so that Enter does nothing at all.
 */
export function approvalPage(approval: Approval, key: string): Response {
  const lines = cardLines(approval).map(row).join('');
  const isDestructive = approval.risk === 'destructive';
  const yes = choicesOf(approval).map(
    ({ offer, words }) => `<button name="decision" value="${offer}">${words}</button>`,
  );
  return page(
    `${approval.server}/${approval.tool}`,
    `<h1>May <b>${escape(`${approval.server}/${approval.tool}`)}</b> run?</h1>
<table>${lines}</table>
<form method="post" action="?">
<input type="hidden" name="key" value="${escape(key)}">
${isDestructive ? '<button disabled hidden></button>' : ''}
<label>A word to the model, if you say no${isDestructive ? '' : ' (Enter says no)'} <input name="note" maxlength="${NOTE_CHARS_MAX}" autocomplete="off"></label>
<p><button name="decision" value="no" class="no">No</button> ${yes.join(' ')}</p>
</form>`,
  );
}

/** What came of it, or why there is nothing to answer. */
export function wordsPage(
  title: string,
  words: string,
  { status = 200, back }: { readonly status?: number; readonly back?: string } = {},
): Response {
  const way = back === undefined ? '' : `<p><a href="${escape(back)}">Back to the question</a></p>`;
  return page(title, `<h1>${escape(title)}</h1><p>${escape(words)}</p>${way}`, status);
}

function row({ label, text, style }: CardLine): string {
  return `<tr class="${style}"><th>${escape(label)}</th><td>${escape(text)}</td></tr>`;
}

const STYLE = `
:root { color-scheme: light dark; }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 48rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.25rem; }
table { border-collapse: collapse; width: 100%; }
th { text-align: left; vertical-align: top; padding: .2rem 1rem .2rem 0; font-weight: normal; opacity: .7; }
td { font-family: ui-monospace, monospace; white-space: pre-wrap; overflow-wrap: anywhere; }
.danger td, .removed td { color: #b00020; }
.added td { color: #0a7d33; }
label { display: block; margin-top: 1rem; }
input { width: 100%; font: inherit; padding: .4rem; box-sizing: border-box; }
button { font: inherit; padding: .5rem 1rem; margin: .25rem .5rem .25rem 0; }
.no { font-weight: bold; }
@media (prefers-color-scheme: dark) { .danger td, .removed td { color: #ff8a9a; } .added td { color: #7ee2a0; } }
`;

const STYLE_HASH = createHash('sha256').update(STYLE).digest('base64');

function page(title: string, body: string, status = 200): Response {
  const html = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${escape(title)} · Plugboard</title><style>${STYLE}</style></head>
<body><main>${body}</main></body></html>`;
  return new Response(html, {
    status,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      // Without any referrer, a browser would not say that the answer comes from this page.
      'referrer-policy': 'same-origin',
      'content-security-policy': `default-src 'none'; style-src 'sha256-${STYLE_HASH}'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
    },
  });
}

function escape(text: string): string {
  return text.replaceAll(/[&<>"']/g, (found) => ENTITIES[found] ?? found);
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
