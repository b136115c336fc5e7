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
  const { approvals } = options.hub(options.ids.next('page'));
  try {
    const approval = await approvals.get(id);
    if (!posted) return approvalPage(approval, key ?? '');
    options.links.used(id);
    const answer = answerWith(posted.get('decision'), posted.get('note'), approval);
    await approvals.answer(id, answer);
    return wordsPage(answer.effect === 'allow' ? 'Approved' : 'Denied', 'You can close this page.');
  } catch (error) {
    return toPlugError(error).code === 'not_found'
      ? gone()
      : wordsPage('Not answered', toPlugError(error).message, 409);
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
    'This question was answered, has run out of time, or the link is not complete. “plug approvals” lists what waits.',
    404,
  );
}
