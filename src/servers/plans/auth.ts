import type { AuthKind } from '../definition.ts';
import { namesSecret } from '../../base/secret-names.ts';
import type { FormField } from './plan.ts';

export interface DetectedAuth {
  readonly kind: Extract<AuthKind, 'none' | 'key' | 'key-file' | 'oauth' | 'unknown'>;
  readonly fields: readonly string[];
  /** Choices for the user when it can't be detected. */
  readonly offers: readonly ('key' | 'oauth' | 'none')[];
  readonly why: string;
}

/** How a remote server answers somebody without credentials. */
export type Access =
  | { readonly kind: 'open' | 'sign-in' | 'unreachable' }
  /** It says nowhere how people sign in: it takes a key, in this header. */
  | { readonly kind: 'key'; readonly header: string };

export type AccessPort = (url: string, options: { readonly signal?: AbortSignal }) => Promise<Access>;

/** By the declared fields; a remote server without any, by a probe. */
export function detectAuth(
  form: readonly FormField[],
  at: 'local' | 'remote',
  access?: Access,
): DetectedAuth {
  const secrets = form.filter(({ kind }) => kind === 'secret');
  const pair = clientPair(form);
  if (pair) return answer('oauth', pair, `${labels(form, pair)} are the credentials of an OAuth client.`);
  const keys = secrets.filter(({ label }) => !isClientPart(label)).map(({ id }) => id);
  const files = form.filter((field) => field.kind === 'file' && holdsCredentials(field)).map(({ id }) => id);
  const must = (ids: readonly string[]): boolean =>
    form.some(({ id, required }) => required && ids.includes(id));
  // A key file counts if it is the only credential, or the required one.
  if (files.length > 0 && (keys.length === 0 || (must(files) && !must(keys))))
    return answer('key-file', files, `It reads its credentials from a file: ${labels(form, files)}.`);
  if (at === 'remote' && !must(keys)) return judgeRemote(keys, access);
  if (keys.length > 0) {
    const why = `It asks for ${labels(form, keys)}${must(keys) ? '' : ', which it can do without'}.`;
    return { ...answer('key', keys, why), offers: must(keys) ? [] : ['key', 'none'] };
  }
  if (secrets.length > 0) {
    const ids = secrets.map(({ id }) => id);
    return answer('unknown', ids, `It asks for ${labels(form, ids)}, and does not say what for.`);
  }
  return answer('none', [], 'It asks for no secret.');
}

function judgeRemote(keys: readonly string[], access: Access | undefined): DetectedAuth {
  const orKey = keys.length > 0 ? ', or takes a key' : '';
  if (access?.kind === 'sign-in')
    return answer('oauth', keys, `It answered 401: it wants you to sign in${orKey}.`);
  if (access?.kind === 'open') return answer('none', keys, `It answers without a sign-in${orKey}.`);
  if (keys.length > 0) return answer('key', keys, 'It takes a key; without one it may ask you to sign in.');
  return answer('unknown', [], 'It declares no secret, and could not be asked.');
}

function answer(kind: DetectedAuth['kind'], fields: readonly string[], why: string): DetectedAuth {
  return { kind, fields, why, offers: kind === 'unknown' ? ['key', 'none'] : [] };
}

/** The user's own OAuth client: `X_CLIENT_ID` with `X_CLIENT_SECRET`. */
function clientPair(form: readonly FormField[]): readonly string[] | undefined {
  for (const field of form) {
    const prefix = CLIENT_SECRET.exec(field.label)?.[1];
    const id = form.find(({ label }) => prefix !== undefined && CLIENT_ID.exec(label)?.[1] === prefix);
    if (id) return [id.id, field.id];
  }
  return undefined;
}

const CLIENT_ID = /^(.*?)client[-_]?id$/i;
const CLIENT_SECRET = /^(.*?)client[-_]?secret$/i;

function isClientPart(label: string): boolean {
  return CLIENT_SECRET.test(label);
}

/** Folders, logs and databases are paths, too. */
function holdsCredentials({ label, description = '' }: FormField): boolean {
  const words = `${label} ${description}`;
  return (
    namesSecret(label) ||
    /credential|service.?account|private.?key|key.?file|kube.?config|oauth|certificate/i.test(words)
  );
}

function labels(form: readonly FormField[], ids: readonly string[]): string {
  return form
    .filter(({ id }) => ids.includes(id))
    .map(({ title, label }) => title ?? label)
    .join(' and ');
}
