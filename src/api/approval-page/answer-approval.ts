import { commandOf } from '../../base/remedy-command.ts';
import { toPlugError } from '../../base/errors.ts';
import type { Ids } from '../../base/ids.ts';
import type { Hub } from '../../hub/hub.ts';
import { answerWith } from '../../policy/approvals/choices.ts';
import type { ApprovalLinks } from './links.ts';
import { approvalPage, wordsPage } from './page.ts';

export interface ApprovalPageOptions {
  readonly links: ApprovalLinks;
  readonly ids: Ids;
  /** The hub as a page sees it: whoever answers here is not whoever asked. */
  readonly hub: (id: string) => Hub;
  /** Whether the browser is the user's own: a link is an argument of the program that opens it. */
  readonly isOwn: () => Promise<boolean>;
}

/** Shows the question behind a link, and takes its answer. */
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
    // Not a slip to be mended here: the words and the button say opposite things.
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
    'Nothing waits here',
    'This question was answered, has run out of time, or the link is not complete.',
    { status: 404 },
  );
}

function anotherUser(): Response {
  return wordsPage(
    'Not answered',
    `This link is only for the user who runs this hub, and this connection could not be shown to be theirs. Answer in a terminal: ${commandOf({ do: 'show', what: 'approvals' })}`,
    { status: 403 },
  );
}

function yesWithNote(key: string): Response {
  return wordsPage(
    'Not answered',
    'You wrote a note and chose yes. A note is only for a no, so nothing has run. Go back, and either choose no, or remove the note.',
    { status: 409, back: `?key=${encodeURIComponent(key)}` },
  );
}
