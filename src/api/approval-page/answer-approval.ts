import { createHash } from 'node:crypto';
import { toPlugError } from '../../base/errors.ts';
import { escapeHtml } from '../../base/escape-html.ts';
import type { Ids } from '../../base/ids.ts';
import { commandOf } from '../../base/remedy-command.ts';
import type { Approval, Hub } from '../../hub/hub.ts';
import { answerWith, choicesOf, NOTE_CHARS_MAX } from '../../policy/approvals/choices.ts';
import { cardLines } from '../../policy/approvals/shown.ts';
import type { ApprovalLinks } from './links.ts';

export interface ApprovalPageOptions {
  readonly links: ApprovalLinks;
  readonly ids: Ids;
  /** The hub as a page sees it: the one who answers is not the one who asked. */
  readonly hub: (id: string) => Hub;
  /** Whether the browser is the user's own: other users can read a link in a program's arguments. */
  readonly isOwn: () => Promise<boolean>;
}

export async function answerApproval(
  request: Request,
  id: string,
  options: ApprovalPageOptions,
): Promise<Response> {
  const posted = request.method === 'POST' ? await readForm(request) : undefined;
  const key = posted ? posted.get('key') : new URL(request.url).searchParams.get('key');
  if (!options.links.opens(id, key ?? '')) return gone();
  if (!(await options.isOwn())) return anotherUser();
  const { approvals } = options.hub(options.ids.next('page'));
  try {
    const approval = await approvals.get({ id });
    if (!posted) return approvalPage(approval, key ?? '');
    const answer = answerWith(posted.get('decision'), posted.get('note'), approval);
    // Never guessed: the note and the button say opposite things.
    if (answer.effect === 'allow' && answer.note !== undefined) return yesWithNote(key ?? '');
    await approvals.answer({ id, ...answer });
    options.links.used(id);
    return wordsPage(answer.effect === 'allow' ? 'Approved' : 'Denied', 'You can close this page.');
  } catch (error) {
    return toPlugError(error).code === 'not_found'
      ? gone()
      : wordsPage('Not answered', toPlugError(error).message, { status: 409 });
  }
}

const FORM_BYTES_MAX = 8 * 1024;

async function readForm(request: Request): Promise<URLSearchParams> {
  const length = Number(request.headers.get('content-length') ?? Number.NaN);
  // A form of ours is short and says how long it is.
  if (!(length <= FORM_BYTES_MAX)) return new URLSearchParams();
  return new URLSearchParams(await request.text());
}

function gone(): Response {
  return wordsPage(
    'Nothing is waiting',
    'This approval was answered or has expired, or the link is incomplete.',
    { status: 404 },
  );
}

function anotherUser(): Response {
  return wordsPage(
    'Not answered',
    `This link works only for the user who runs this hub, and we couldn’t verify that this connection is theirs. Answer in a terminal: ${commandOf({ do: 'show', what: 'approvals' })}`,
    { status: 403 },
  );
}

function yesWithNote(key: string): Response {
  return wordsPage(
    'Not answered',
    'You wrote a note and chose yes. Only a denial can have a note, so nothing ran. Go back, and deny the call or remove the note.',
    { status: 409, back: `?key=${encodeURIComponent(key)}` },
  );
}

/** Enter presses the first button: no, or for a destructive call one that does nothing. */
function approvalPage(approval: Approval, key: string): Response {
  const lines = cardLines(approval).map(
    ({ label, text, style }) =>
      `<tr class="${style}"><th>${escapeHtml(label)}</th><td>${escapeHtml(text)}</td></tr>`,
  );
  const isDestructive = approval.risk === 'destructive';
  const yes = choicesOf(approval).map(
    ({ offer, words }) => `<button name="decision" value="${offer}">${words}</button>`,
  );
  const tool = `${approval.server}/${approval.tool}`;
  return page(
    tool,
    `<h1>May <b>${escapeHtml(tool)}</b> run?</h1>
<table>${lines.join('')}</table>
<form method="post" action="?">
<input type="hidden" name="key" value="${escapeHtml(key)}">
${isDestructive ? '<button disabled hidden></button>' : ''}
<label>A word to the model, if you say no${isDestructive ? '' : ' (Enter says no)'} <input name="note" maxlength="${NOTE_CHARS_MAX}" autocomplete="off"></label>
<p><button name="decision" value="no" class="no">No</button> ${yes.join(' ')}</p>
</form>`,
  );
}

function wordsPage(
  title: string,
  words: string,
  { status = 200, back }: { readonly status?: number; readonly back?: string } = {},
): Response {
  const way = back === undefined ? '' : `<p><a href="${escapeHtml(back)}">Back to the question</a></p>`;
  return page(title, `<h1>${escapeHtml(title)}</h1><p>${escapeHtml(words)}</p>${way}`, status);
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
<title>${escapeHtml(title)} · Plugboard</title><style>${STYLE}</style></head>
<body><main>${body}</main></body></html>`;
  return new Response(html, {
    status,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      // With no referrer at all, a browser would not say that the answer comes from this page.
      'referrer-policy': 'same-origin',
      'content-security-policy': `default-src 'none'; style-src 'sha256-${STYLE_HASH}'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
    },
  });
}
