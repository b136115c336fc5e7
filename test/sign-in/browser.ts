const REDIRECTS_MAX = 20;

interface BrowseOptions {
  readonly stopAt?: string;
  /** A session that the browser has there already. */
  readonly session?: { readonly at: string; readonly cookie: string };
}

/**
 * A person's browser: follows redirects and keeps cookies, until it is back at the callback of this
 * machine or the page asks for something else. Answers the address that it ended at.
 */
export async function browse(address: string, options: BrowseOptions = {}): Promise<URL> {
  const cookies = new Map<string, string>();
  let url = new URL(address);
  for (let count = 0; count < REDIRECTS_MAX; count += 1) {
    if (options.stopAt !== undefined && url.pathname.startsWith(options.stopAt)) return url;
    const kept = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const { session } = options;
    const cookie = session && session.at === url.origin ? session.cookie : kept;
    const response = await fetch(url, { redirect: 'manual', headers: { cookie } });
    await response.body?.cancel();
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      cookies.set(name, value);
    }
    const location = response.headers.get('location');
    if (location === null) return url;
    url = new URL(location, url);
  }
  throw new Error(`More than ${REDIRECTS_MAX} redirects from ${address}.`);
}
