import { PlugError } from '../../base/errors.ts';
import { isObject } from '../../base/json.ts';
import type { ExportFormat } from './lines.ts';

export type Destination =
  /** The one that the operator of the hub has named: nobody gives paths of its machine over the network. */
  { readonly kind: 'folder' } | ({ readonly kind: 's3' } & Bucket);

export interface Bucket {
  /** Of the service: an origin, without the bucket. */
  readonly address: string;
  readonly bucket: string;
  readonly region: string;
  readonly accessKeyId: string;
  /** Before the names of the files; may end in a slash. */
  readonly prefix: string;
}

export interface ExportSettings {
  readonly to: Destination;
  readonly format: ExportFormat;
  readonly every: keyof typeof EVERY_MS;
}

export const EVERY_MS = { hour: 3_600_000, day: 86_400_000 } as const;

/** What somebody has sent; the secret key travels inwards alone. */
export function readSettings(input: Readonly<Record<string, unknown>>): {
  readonly settings: ExportSettings;
  readonly secretAccessKey: string | undefined;
} {
  const { to, format, every, ...others } = input;
  noOthers(others);
  if (!isObject(to)) throw bad('“to”, an object');
  if (format !== 'csv' && format !== 'jsonl') throw bad('“format”: jsonl or csv');
  if (every !== 'hour' && every !== 'day') throw bad('“every”: hour or day');
  const { destination, secretAccessKey } = readDestination(to);
  return { settings: { to: destination, format, every }, secretAccessKey };
}

function readDestination(to: Readonly<Record<string, unknown>>): {
  readonly destination: Destination;
  readonly secretAccessKey: string | undefined;
} {
  const { kind, address, bucket, region, accessKeyId, secretAccessKey, prefix = '', ...others } = to;
  if (kind === 'folder') {
    noOthers({ ...others, ...defined({ address, bucket, region, accessKeyId, secretAccessKey }) });
    return { destination: { kind }, secretAccessKey: undefined };
  }
  if (kind !== 's3') throw bad('“to.kind”: folder or s3');
  noOthers(others);
  const given = {
    address: originIn(address),
    bucket: textLike('bucket', bucket, BUCKET),
    region: textLike('region', region, REGION),
    accessKeyId: textLike('accessKeyId', accessKeyId, KEY_ID),
    prefix: textLike('prefix', prefix, PREFIX),
  };
  if (given.prefix.split('/').some((part) => part === '.' || part === '..'))
    throw bad('“to.prefix”, no dots');
  const isSecret = typeof secretAccessKey === 'string' && SECRET.test(secretAccessKey);
  if (secretAccessKey !== undefined && !isSecret) throw bad('“to.secretAccessKey”, one word');
  return { destination: { kind, ...given }, secretAccessKey: isSecret ? secretAccessKey : undefined };
}

const BUCKET = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/;
const REGION = /^[a-z0-9-]{1,40}$/;
const KEY_ID = /^[!-~]{1,128}$/;
const SECRET = /^[!-~]{1,256}$/;
const PREFIX = /^(?:[\w.-][\w./-]{0,199})?$/;

function originIn(address: unknown): string {
  const parsed = typeof address === 'string' ? URL.parse(address) : undefined;
  const isOrigin = parsed && parsed.pathname === '/' && parsed.search === '' && parsed.username === '';
  if (isOrigin && (parsed.protocol === 'https:' || parsed.protocol === 'http:')) return parsed.origin;
  throw bad('“to.address”, such as https://s3.eu-central-1.amazonaws.com, without the bucket');
}

function textLike(field: string, value: unknown, form: RegExp): string {
  if (typeof value === 'string' && form.test(value)) return value;
  throw bad(`“to.${field}”`);
}

function defined(fields: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

function noOthers(others: Readonly<Record<string, unknown>>): void {
  const [unknown] = Object.keys(others);
  if (unknown !== undefined) throw bad(`nothing named “${unknown.slice(0, 40)}”`);
}

function bad(wanted: string): PlugError {
  return new PlugError('usage', `A scheduled export needs ${wanted}.`, { owner: 'you' });
}
