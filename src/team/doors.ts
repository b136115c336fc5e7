import { PlugError, toPlugError } from '../base/errors.ts';
import { consentPage, joinPage, messagePage, resetPage, setUpPage, signInPage } from './forms.ts';
import { isDocumentAddress } from './oauth/client-documents.ts';
import type { Person } from './people.ts';
import { checkSite, nothingHere, readText } from './requests.ts';
import type { Team } from './team.ts';

const PAGES = { 'set-up': setUpPage, join: joinPage, reset: resetPage } as const;
type LinkKind = keyof typeof PAGES;

/** The pages before the page: set-up, invitations, sign-in, and what a host may do. */
export class Doors {
  readonly #team: Team;

  constructor(team: Team) {
    this.#team = team;
  }

  /** Undefined for another address. */
  async answer(request: Request, person: Person | undefined): Promise<Response | undefined> {
    const { pathname, searchParams } = new URL(request.url);
    const link = /^\/(set-up|join|reset)\/([\w-]{43})$/.exec(pathname);
    if (link) return await this.#link(request, link[1] as LinkKind, link[2] ?? '');
    if (request.method !== 'GET') return undefined;
    if (pathname === '/sign-in') {
      return signInPage({ provider: this.#team.singleSignOn?.name, failed: searchParams.has('error') });
    }
    if (pathname === '/consent') return await this.#consent(searchParams, person);
    return undefined;
  }

  /** After a sign-in at a server. */
  cameBack(isOurs: boolean): Response {
    return isOurs
      ? messagePage('Signed in', 'You can close this tab and go back to Plugboard.')
      : messagePage(
          'Not this sign-in',
          'No sign-in of yours waits for this answer. Start it again from the server’s page.',
          400,
        );
  }

  async #link(request: Request, kind: LinkKind, token: string): Promise<Response> {
    if (request.method === 'GET') return PAGES[kind]();
    if (request.method !== 'POST') throw nothingHere();
    checkSite(request, this.#team.url);
    const { people } = this.#team;
    try {
      const field = await readForm(request);
      const password = field('password');
      if (kind === 'set-up')
        await people.setUp(token, { name: field('name'), email: field('email'), password });
      else if (kind === 'join') await people.join(token, { name: field('name'), password });
      else await people.resetPassword(token, password);
    } catch (error) {
      const { code, message } = toPlugError(error);
      if (code === 'internal') throw error;
      return messagePage('Not done', message, code === 'not_found' ? 404 : 400);
    }
    return new Response(null, {
      status: 303,
      headers: { location: '/sign-in', 'cache-control': 'no-store' },
    });
  }

  /** The library checks what this page sends on: here it is only shown. */
  async #consent(query: URLSearchParams, person: Person | undefined): Promise<Response> {
    if (!person) return signInPage({ provider: this.#team.singleSignOn?.name });
    const { adapter } = await this.#team.people.auth.$context;
    const clientId = query.get('client_id') ?? '';
    const where = [{ field: 'clientId', value: clientId }];
    const client = await adapter.findOne<{ readonly name?: string | null }>({ model: 'oauthClient', where });
    const target = URL.parse(query.get('redirect_uri') ?? '');
    if (!client || !target) throw nothingHere();
    const from = isDocumentAddress(clientId) ? new URL(clientId).hostname : undefined;
    return consentPage({ name: client.name ?? '', from, target: placeOf(target), email: person.email });
  }
}

/** Where the code goes, as people read it. */
function placeOf({ protocol, host, hostname }: URL): string {
  if (protocol !== 'http:' && protocol !== 'https:') return `an app on your device (${protocol}//)`;
  const isHere = ['127.0.0.1', '[::1]', 'localhost'].includes(hostname);
  return isHere ? `a program on your device (${host})` : host;
}

const FORM_BYTES_MAX = 8 * 1024;

async function readForm(request: Request): Promise<(name: string) => string> {
  const form = new URLSearchParams(await readText(request, FORM_BYTES_MAX));
  return (name) => {
    const text = form.get(name)?.trim() ?? '';
    if (text !== '' && text.length <= 256) return text;
    throw new PlugError('usage', `The field ${name} is missing or too long.`, { owner: 'you' });
  };
}
