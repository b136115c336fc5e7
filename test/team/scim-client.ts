import type { Member } from './team-world.ts';

export interface ScimAnswer {
  readonly status: number;
  readonly headers: Headers;
  // oxlint-disable-next-line typescript/no-explicit-any -- each test knows what it asked for
  readonly body: any;
}

/** A directory that holds a token of the team. */
export interface ScimClient {
  readonly token: string;
  readonly tokenId: string;
  ask(
    method: string,
    path: string,
    body?: unknown,
    headers?: Readonly<Record<string, string>>,
  ): Promise<ScimAnswer>;
  patch(path: string, ...operations: readonly object[]): Promise<ScimAnswer>;
  /** The user names, or names of groups, that a filter finds. */
  found(place: 'Users' | 'Groups', filter: string): Promise<readonly string[]>;
}

export async function directoryOf(admin: Member, url: string): Promise<ScimClient> {
  const { body: made } = await admin.ask('POST', '/v1/team/directory-tokens', { name: 'directory' });
  const ask = (
    method: string,
    path: string,
    body?: unknown,
    headers?: Readonly<Record<string, string>>,
  ): Promise<ScimAnswer> => askScim(url, made.token, method, path, body, headers);
  return {
    token: made.token,
    tokenId: made.id,
    ask,
    patch: (path, ...Operations) =>
      ask('PATCH', path, { schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'], Operations }),
    found: async (place, filter) => {
      const { body } = await ask('GET', `/${place}?filter=${encodeURIComponent(filter)}`);
      if (!body.Resources) throw new Error(JSON.stringify(body));
      return body.Resources.map((one: { userName?: string; displayName?: string }) =>
        place === 'Users' ? one.userName : one.displayName,
      ).toSorted();
    },
  };
}

export async function askScim(
  url: string,
  token: string,
  method: string,
  path: string,
  body?: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<ScimAnswer> {
  const text = body === undefined ? undefined : JSON.stringify(body);
  const all = new Headers(headers);
  all.set('authorization', `Bearer ${token}`);
  if (text !== undefined) all.set('content-type', 'application/scim+json');
  const answer = await fetch(`${url}/scim/v2${path}`, {
    method,
    headers: all,
    ...(text ? { body: text } : {}),
  });
  const got = await answer.text();
  return { status: answer.status, headers: answer.headers, body: got === '' ? undefined : JSON.parse(got) };
}
