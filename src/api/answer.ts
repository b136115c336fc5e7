import { PlugError, toPlugError, type ErrorCode, type PlugErrorOptions } from '../base/errors.ts';

/** On every answer: nothing is cached, sniffed, framed, embedded or named to another site. */
export const ALWAYS = {
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
} as const;

export function answer(value: unknown): Response {
  if (value === undefined) return new Response(null, { status: 204, headers: ALWAYS });
  return new Response(JSON.stringify(value), { headers: { ...ALWAYS, 'content-type': 'application/json' } });
}

export function answerError(error: unknown): Response {
  const failure = toPlugError(error);
  const refusal = error instanceof Refusal ? error : undefined;
  return new Response(JSON.stringify({ error: failure.toView() }), {
    status: refusal?.status ?? statusOf[failure.code],
    headers: { ...ALWAYS, 'content-type': 'application/json', ...refusal?.headers },
  });
}

/** 401 is missing on purpose: it means only our own token, never a server's sign-in. */
const statusOf: Readonly<Record<ErrorCode, number>> = {
  usage: 400,
  bad_config: 422,
  bad_arguments: 422,
  not_found: 404,
  already_exists: 409,
  disabled: 409,
  untrusted: 409,
  missing_command: 424,
  missing_input: 424,
  sign_in_needed: 424,
  approval_required: 403,
  denied: 403,
  start_failed: 502,
  start_timeout: 504,
  crashed: 502,
  unreachable: 502,
  rate_limited: 429,
  protocol_error: 502,
  server_error: 502,
  unsupported: 501,
  call_timeout: 504,
  cancelled: 499,
  too_large: 413,
  unavailable: 503,
  hub_unavailable: 503,
  storage_failed: 500,
  internal: 500,
};

/** Refused before any operation, with a status of its own. */
export class Refusal extends PlugError {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    status: number,
    code: ErrorCode,
    message: string,
    options: Partial<PlugErrorOptions> & { readonly headers?: Readonly<Record<string, string>> } = {},
  ) {
    super(code, message, { owner: 'you', ...options });
    this.status = status;
    this.headers = options.headers ?? {};
  }
}
