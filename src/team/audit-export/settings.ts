import type { z as zod } from 'zod';
import type { Zod } from '../../hub/operations/operation.ts';
import { EXPORT_FORMATS, type ExportFormat } from './lines.ts';

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

const destination = (z: Zod) =>
  z.discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('folder') }),
    z.strictObject({
      kind: z.literal('s3'),
      address: z
        .string()
        .refine(
          isOrigin,
          'must be an address such as https://s3.eu-central-1.amazonaws.com, without the bucket',
        )
        .transform((address) => new URL(address).origin),
      bucket: z.string().regex(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/),
      region: z.string().regex(/^[a-z0-9-]{1,40}$/),
      accessKeyId: z.string().regex(/^[!-~]{1,128}$/),
      prefix: z
        .string()
        .regex(/^(?:[\w.-][\w./-]{0,199})?$/)
        .refine(
          (prefix) => !prefix.split('/').some((part) => part === '.' || part === '..'),
          'must have no dots',
        )
        .default(''),
      /** It travels inwards alone. */
      secretAccessKey: z
        .string()
        .regex(/^[!-~]{1,256}$/)
        .exactOptional(),
    }),
  ]);

/** What somebody sends. */
export const exportSchema = (z: Zod) =>
  z.strictObject({ to: destination(z), format: z.enum(EXPORT_FORMATS), every: z.enum(['hour', 'day']) });

export type GivenExport = zod.output<ReturnType<typeof exportSchema>>;

function isOrigin(address: string): boolean {
  const parsed = URL.parse(address);
  if (!parsed || parsed.pathname !== '/' || parsed.search !== '' || parsed.username !== '') return false;
  return parsed.protocol === 'https:' || parsed.protocol === 'http:';
}

/** The secret key is kept elsewhere than the rest. */
export function withoutSecret({ to, ...rest }: GivenExport): {
  readonly settings: ExportSettings;
  readonly secretAccessKey: string | undefined;
} {
  if (to.kind === 'folder') return { settings: { ...rest, to }, secretAccessKey: undefined };
  const { secretAccessKey, ...bucket } = to;
  return { settings: { ...rest, to: bucket }, secretAccessKey };
}
