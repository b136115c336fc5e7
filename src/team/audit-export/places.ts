import { hash } from 'node:crypto';
import { constants } from 'node:fs';
import { access, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { AwsV4Signer } from 'aws4fetch';
import { timeoutSignal, type Clock } from '../../base/clock.ts';
import { hasCode, PlugError } from '../../base/errors.ts';
import { createPrivateFile } from '../../base/private-files.ts';
import type { Ids } from '../../base/ids.ts';
import type { Fetch } from '../../connections/http/capped-fetch.ts';
import type { Bucket, Destination } from './settings.ts';

/** Where files go. A file that is there is there as a whole. */
export interface Place {
  has(name: string): Promise<boolean>;
  write(name: string, text: string): Promise<void>;
}

export interface PlacesOptions {
  /** Of the process: nobody names another one over the network. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Public addresses alone. */
  readonly fetch: Fetch;
  /** For the one address that the operator has named. */
  readonly fetchOwn: Fetch;
  readonly clock: Clock;
  readonly ids: Ids;
  /** Ends what is under way. */
  readonly signal: AbortSignal;
}

const FOLDER_VARIABLE = 'PLUG_AUDIT_EXPORT_FOLDER';
const ADDRESS_VARIABLE = 'PLUG_AUDIT_EXPORT_ADDRESS';

/** Whether this process can reach the destination at all. */
export function canReach(to: Destination, env: PlacesOptions['env']): boolean {
  return to.kind === 's3' || Boolean(env[FOLDER_VARIABLE]);
}

/** Says before anything is kept what can't work. */
export function checkDestination(to: Destination, env: PlacesOptions['env']): void {
  if (to.kind === 'folder') {
    if (canReach(to, env)) return;
    const message = 'This hub has no folder for exports.';
    const remedy = `Ask who runs the hub to set ${FOLDER_VARIABLE}, or choose a bucket.`;
    throw new PlugError('unsupported', message, { owner: 'you', remedy });
  }
  if (to.address.startsWith('https:') || isNamed(to, env)) return;
  const remedy = `Give one with https:, or ask who runs the hub to allow this one in ${ADDRESS_VARIABLE}.`;
  throw new PlugError('usage', 'The address of the bucket is without TLS.', { owner: 'you', remedy });
}

/** `secret`: the key of the bucket. */
export function placeFor(to: Destination, secret: string | undefined, options: PlacesOptions): Place {
  checkDestination(to, options.env);
  if (to.kind === 'folder') return new Folder(options.env[FOLDER_VARIABLE] ?? '', options);
  if (secret === undefined) throw noSecret();
  return new ObjectStore(to, secret, options);
}

function isNamed({ address }: Bucket, env: PlacesOptions['env']): boolean {
  return URL.parse(env[ADDRESS_VARIABLE] ?? '')?.origin === address;
}

class Folder implements Place {
  readonly #folder: string;
  readonly #ids: Ids;
  readonly #clock: Clock;

  constructor(folder: string, { ids, clock }: Pick<PlacesOptions, 'ids' | 'clock'>) {
    this.#folder = folder;
    this.#ids = ids;
    this.#clock = clock;
  }

  async has(name: string): Promise<boolean> {
    return await access(join(this.#folder, name), constants.F_OK).then(
      () => true,
      (error: unknown) => {
        if (hasCode(error, 'ENOENT')) return false;
        throw this.#unwritten(error);
      },
    );
  }

  async write(name: string, text: string): Promise<void> {
    const temporary = join(this.#folder, `${UNFINISHED}${name}.${this.#ids.next('new')}`);
    try {
      await this.#removeUnfinished(name);
      await createPrivateFile(temporary, text);
      await rename(temporary, join(this.#folder, name));
      await syncFolder(this.#folder);
    } catch (error) {
      await rm(temporary, { force: true }).catch(() => undefined);
      throw this.#unwritten(error);
    }
  }

  /** Of a process that died while it wrote this very file. Another one may be at it just now. */
  async #removeUnfinished(name: string): Promise<void> {
    for (const found of await readdir(this.#folder)) {
      if (!found.startsWith(`${UNFINISHED}${name}.`)) continue;
      const file = join(this.#folder, found);
      const { mtimeMs } = await stat(file);
      if (mtimeMs < this.#clock.now() - UNFINISHED_MS) await rm(file, { force: true });
    }
  }

  #unwritten(cause: unknown): PlugError {
    const why = cause instanceof Error ? cause.message : '';
    const remedy = `Check that ${FOLDER_VARIABLE} names a folder that the hub may write to, with space left.`;
    const message = `The file could not be written to the folder for exports. ${why}`.trim();
    return new PlugError('storage_failed', message, { owner: 'you', remedy, cause });
  }
}

const UNFINISHED = '.';
const UNFINISHED_MS = 10 * 60_000;

/** Else a power cut may take the name of the file back. */
async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return;
  await using handle = await open(folder, constants.O_RDONLY);
  await handle.sync();
}

const REQUEST_MS = 60_000;

class ObjectStore implements Place {
  readonly #bucket: Bucket;
  readonly #secret: string;
  readonly #clock: Clock;
  readonly #fetch: Fetch;
  readonly #signal: AbortSignal;

  constructor(bucket: Bucket, secret: string, { fetch, fetchOwn, clock, env, signal }: PlacesOptions) {
    this.#signal = signal;
    this.#bucket = bucket;
    this.#secret = secret;
    this.#clock = clock;
    this.#fetch = isNamed(bucket, env) ? fetchOwn : fetch;
  }

  async has(name: string): Promise<boolean> {
    // Who may not list a bucket hears 403 of what isn't there. The same file written again does no harm.
    const { status } = await this.#ask('HEAD', name);
    if (status === 200) return true;
    if (status === 404 || status === 403) return false;
    throw this.#refused(status, '');
  }

  async write(name: string, text: string): Promise<void> {
    const answer = await this.#ask('PUT', name, text);
    if (answer.status === 200) return;
    throw this.#refused(answer.status, codeIn(await answer.text()));
  }

  async #ask(method: 'HEAD' | 'PUT', name: string, body?: string): Promise<Response> {
    const { address, bucket, prefix, region, accessKeyId } = this.#bucket;
    const signer = new AwsV4Signer({
      method,
      url: `${address}/${bucket}/${prefix}${name}`,
      // The signature covers the text, also where the way is without TLS.
      headers: { 'x-amz-content-sha256': hash('sha256', body ?? '') },
      ...(body === undefined ? {} : { body }),
      accessKeyId,
      secretAccessKey: this.#secret,
      service: 's3',
      region,
      datetime: new Date(this.#clock.now()).toISOString().replaceAll(/[:-]|\.\d{3}/g, ''),
    });
    const { url, headers } = await signer.sign();
    const sent = {
      method,
      headers,
      signal: AbortSignal.any([this.#signal, timeoutSignal(REQUEST_MS)]),
      redirect: 'error' as const,
    };
    return await this.#fetch(url, { ...sent, ...(body === undefined ? {} : { body }) });
  }

  #refused(status: number, code: string): PlugError {
    const { bucket, region } = this.#bucket;
    const said = code === '' ? `HTTP ${status}` : `HTTP ${status}, ${code}`;
    const message = `The bucket “${bucket}” did not take the file (${said}).`;
    const remedy = REMEDIES[status] ?? `Check the address, the bucket and its region (${region}).`;
    return new PlugError('unavailable', message, { owner: 'you', remedy });
  }
}

const REMEDIES: Readonly<Record<number, string>> = {
  401: 'Check the access key.',
  403: 'Check the access key, and that it may read and write objects of this bucket.',
  404: 'Check the name of the bucket and the address.',
};

/** What S3 calls a refusal. */
function codeIn(text: string): string {
  return /<Code>(\w{1,64})<\/Code>/.exec(text)?.[1] ?? '';
}

function noSecret(): PlugError {
  const remedy = 'Set the export again, with the secret access key.';
  return new PlugError('missing_input', 'The secret key of the bucket is not there.', {
    owner: 'you',
    remedy,
  });
}
