import type { Clock } from '../../base/clock.ts';
import { PlugError } from '../../base/errors.ts';
import type { Ids } from '../../base/ids.ts';
import { portOf } from '../../base/own-host.ts';
import { isOwnPeer, type Peer } from '../../base/peer-owner.ts';
import { answer, Refusal } from '../answer.ts';
import type { BadTokens } from '../bad-tokens.ts';
import { readBody } from '../read-input.ts';
import type { Knock, PageAccess } from '../guard.ts';
import type { PageLink } from '../listener-operations.ts';
import type { PageFiles } from '../page-files/page-files.ts';
import { PAGE_HEADER } from '../send.ts';
import { doorLimits } from './limits.ts';
import { LinkFiles, PageLinks } from './links.ts';
import { PAGE_NAME, pagePathOf, type PagePath } from './paths.ts';
import type { Halves, PageSessions } from './sessions.ts';

export interface PageDoorOptions {
  readonly sessions: PageSessions;
  readonly folder: string;
  readonly linkFolder: string;
  readonly url: () => string | undefined;
  readonly bad: BadTokens;
  readonly clock: Clock;
  readonly ids: Ids;
}

export class PageDoor implements PageAccess {
  readonly #options: PageDoorOptions;
  readonly #links: PageLinks;
  readonly #linkFiles: LinkFiles;
  #files: Promise<PageFiles> | undefined;

  constructor(options: PageDoorOptions) {
    this.#options = options;
    const { linkFolder: folder, clock, ids } = options;
    this.#links = new PageLinks(clock);
    this.#linkFiles = new LinkFiles({ folder, clock, ids });
  }

  readonly link = (): PageLink => this.#links.linkTo(this.#ownUrl());

  /** A link for a browser that another program starts: in a file, if one can be written. */
  readonly linkInFile = async (): Promise<PageLink> => {
    let file: string | undefined;
    const link = this.#links.linkTo(this.#ownUrl(), () => file !== undefined && this.#linkFiles.remove(file));
    try {
      file = await this.#linkFiles.write(link.url);
      return { ...link, file };
    } catch {
      return link; // it can still be shown to the user
    }
  };

  close(): Promise<void> {
    return this.#linkFiles.close();
  }

  /** The page itself holds no data: that is behind the session. */
  isPublic({ path }: Knock): boolean {
    return pagePathOf(path) !== undefined;
  }

  /** Only for operations, and only at the name under which the page lives. */
  admits(knock: Knock): boolean {
    const { port } = this.#place();
    if (!knock.path.startsWith('/v1/') || knock.header('host') !== `${PAGE_NAME}:${port}`) return false;
    return this.#sessionOf(knock.header, port) !== undefined;
  }

  async answer(request: Request, kind: PagePath, peer: Peer | undefined): Promise<Response> {
    const takes = kind === 'open' ? ['POST'] : ['GET', 'HEAD'];
    if (!takes.includes(request.method)) {
      throw new Refusal(405, 'usage', `This address takes ${takes[0]}.`, {
        headers: { allow: takes.join(', ') },
      });
    }
    if (kind === 'open') return this.#open(request, peer);
    const served = await (await this.#openFiles()).serve(request, kind, this.#place().port);
    if (!served) throw new Refusal(404, 'not_found', 'There is nothing at this address.');
    return served;
  }

  /** The token of a link for a session: the cookie in a header that no script sees, the key in the body. */
  async #open(request: Request, peer: Peer | undefined): Promise<Response> {
    const { port, url } = this.#place();
    const header = (name: string): string | undefined => request.headers.get(name) ?? undefined;
    // Browsers always send the origin of a POST.
    if (header('origin') !== url) throw new Refusal(403, 'denied', 'Only the page itself comes in here.');
    if (!(Number(header('content-length')) <= doorLimits.openBytesMax)) {
      throw new Refusal(413, 'too_large', 'The body must be short and say how long it is.');
    }
    const { token } = await readBody(request);
    if (typeof token !== 'string' || !this.#links.has(token)) throw this.#options.bad.refuse(usedUp());
    if (!(await isOwnPeer(peer))) throw this.#options.bad.refuse(anotherUser());
    // It may have been used meanwhile.
    if (!this.#links.take(token)) throw this.#options.bad.refuse(usedUp());
    const given = this.#sessionOf(header, port);
    const { cookie, key } = await this.#options.sessions.begin(given, port);
    const response = answer({ key });
    response.headers.set('set-cookie', setCookie(port, cookie));
    return response;
  }

  #sessionOf(header: Knock['header'], port: number): Halves | undefined {
    const key = header(PAGE_HEADER);
    if (key === undefined) return undefined;
    return cookiesFor(port, header('cookie'))
      .map((cookie) => ({ cookie, key }))
      .find((halves) => this.#options.sessions.admits(halves, port));
  }

  #ownUrl(): string {
    const url = this.#options.url();
    if (url === undefined) throw new PlugError('unavailable', 'The hub does not listen yet.', LATER);
    return url;
  }

  #place(): { readonly url: string; readonly port: number } {
    const url = this.#options.url() ?? '';
    return { url, port: url === '' ? 0 : portOf(url) };
  }

  /** Loaded by the first browser that comes. */
  #openFiles(): Promise<PageFiles> {
    const { folder } = this.#options;
    return (this.#files ??= import('../page-files/page-files.ts').then(
      ({ PageFiles }) => new PageFiles(folder),
    ));
  }
}

const LATER = { owner: 'plugboard', remedy: { do: 'retry' } } as const;

function usedUp(): Refusal {
  return new Refusal(401, 'denied', 'This link was used already, or its time is over.', {
    remedy: { do: 'open-page' },
  });
}

/** Another user has the link, or the system does not say whose the browser is. */
function anotherUser(): Refusal {
  return new Refusal(
    403,
    'denied',
    'This link is only for the user who runs this hub, and this connection could not be shown to be theirs.',
    { remedy: { do: 'open-page' } },
  );
}

/** The port is in the name: a browser keeps one jar for all ports of an address, also for two hubs. */
function cookieName(port: number): string {
  return `plug-page-${port}`;
}

function setCookie(port: number, value: string): string {
  const seconds = doorLimits.sessionMs / 1_000;
  return `${cookieName(port)}=${value}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Strict`;
}

/** Servers at other ports can plant a cookie of this name beside ours, so there may be several. */
function cookiesFor(port: number, header: string | undefined): readonly string[] {
  const start = `${cookieName(port)}=`;
  return (header ?? '')
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(start))
    .slice(0, doorLimits.cookiesMax)
    .map((pair) => pair.slice(start.length));
}
