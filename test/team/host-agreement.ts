import type { Member } from './team-world.ts';

/** What somebody's browser does with the address that a host opens: look at the consent, and agree. */
export async function agree(
  url: string,
  authorization: string | URL,
  who: Member,
  accept = true,
): Promise<{ readonly shown: string; readonly target: URL }> {
  const asked = await fetch(authorization, { headers: { cookie: who.cookie }, redirect: 'manual' });
  const consent = await sentTo(asked, url);
  if (consent.origin !== url) return { shown: '', target: consent };
  const page = await fetch(consent, { headers: { cookie: who.cookie } });
  const { body, status } = await who.ask('POST', '/api/auth/oauth2/consent', {
    accept,
    oauth_query: consent.search.slice(1),
  });
  if (status !== 200) throw new Error(`not agreed: ${status} ${JSON.stringify(body)}`);
  return { shown: await page.text(), target: new URL(body.url) };
}

/** A browser is redirected; a program's fetch is told the address. */
export async function sentTo(answer: Response, url: string): Promise<URL> {
  const location = answer.headers.get('location');
  if (location !== null) return new URL(location, url);
  const { url: told } = (await answer.json()) as { readonly url: string };
  return new URL(told, url);
}
