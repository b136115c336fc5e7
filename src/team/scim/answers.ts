import { ALWAYS, Refusal } from '../../api/answer.ts';
import { type ErrorCode, toPlugError } from '../../base/errors.ts';
import { isObject } from '../../base/json.ts';
import type { Resource } from './read-resource.ts';
import { ScimError, type ScimType } from './scim-error.ts';
import { projected, type Projection } from './shown.ts';

const ERROR = 'urn:ietf:params:scim:api:messages:2.0:Error';
const LIST = 'urn:ietf:params:scim:api:messages:2.0:ListResponse';

export function answerResource(
  resource: Resource,
  projection: Projection,
  status = 200,
  known: string | null = null,
): Response {
  const { version, location } = isObject(resource['meta']) ? resource['meta'] : {};
  const headers = {
    ...(typeof version === 'string' ? { etag: version } : {}),
    ...(typeof location === 'string' ? { location } : {}),
  };
  if (known !== null && known === version)
    return new Response(null, { status: 304, headers: { ...ALWAYS, ...headers } });
  return json(projected(resource, projection), status, headers);
}

interface Page {
  readonly resources: readonly Resource[];
  readonly total: number;
  readonly from: number;
}

export function answerList({ resources, total, from }: Page): Response {
  return json({
    schemas: [LIST],
    totalResults: total,
    startIndex: from,
    itemsPerPage: resources.length,
    Resources: resources,
  });
}

/** As RFC 7644 has errors: the status as a text, and never what went wrong inside. */
export function answerFailure(error: unknown): Response {
  const { status, scimType, detail } = failureOf(error);
  const headers = {
    ...(status === 401 ? { 'www-authenticate': 'Bearer realm="plugboard"' } : {}),
    // The rest of the body is not read: nothing else comes over this connection.
    ...(status === 413 ? { connection: 'close' } : {}),
    ...(status === 429 ? { 'retry-after': '60' } : {}),
  };
  const body = { schemas: [ERROR], status: `${status}`, ...(scimType ? { scimType } : {}), detail };
  return json(body, status, headers);
}

interface Failure {
  readonly status: number;
  readonly scimType?: ScimType | undefined;
  readonly detail: string;
}

function failureOf(error: unknown): Failure {
  if (error instanceof ScimError) {
    return { status: error.status, scimType: error.scimType, detail: error.message };
  }
  const { code, message } = toPlugError(error);
  if (error instanceof Refusal) return { status: error.status, detail: message };
  const known = KNOWN[code];
  if (known) return { ...known, detail: message };
  return { status: 500, detail: 'The team could not do this just now. Try again later.' };
}

const KNOWN: Readonly<Partial<Record<ErrorCode, Omit<Failure, 'detail'>>>> = {
  usage: { status: 400, scimType: 'invalidValue' },
  denied: { status: 403 },
  not_found: { status: 404 },
  already_exists: { status: 409, scimType: 'uniqueness' },
  too_large: { status: 413 },
  unavailable: { status: 503 },
};

function json(value: object, status = 200, more: Readonly<Record<string, string>> = {}): Response {
  const headers = { ...ALWAYS, 'content-type': 'application/scim+json', ...more };
  return new Response(JSON.stringify(value), { status, headers });
}
