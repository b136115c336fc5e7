import type { Clock } from '../../base/clock.ts';
import { ignore } from '../../base/errors.ts';
import type { Limits } from '../../base/limits.ts';
import type { FetchPort } from '../../servers/registry/registry.ts';
import type { ServerIcon } from '../hub.ts';
import { pictureKind } from './picture-kind.ts';

export interface IconsOptions {
  /** Reaches the public internet alone, and follows no redirects. */
  readonly fetch: FetchPort;
  readonly clock: Clock;
  readonly limits: Limits;
}

interface Kept {
  readonly icon: Promise<ServerIcon>;
  readonly until: number;
}

/** Pictures that servers declare for themselves, fetched here so that no browser tells a server who looks. */
export class Icons {
  readonly #options: IconsOptions;
  readonly #kept = new Map<string, Kept>();

  constructor(options: IconsOptions) {
    this.#options = options;
  }

  /** The first that is a picture; `{}` when none is. */
  async get(declared: readonly string[]): Promise<ServerIcon> {
    for (const src of declared) {
      const icon = await this.#one(src);
      if (icon.data !== undefined) return icon;
    }
    return {};
  }

  #one(src: string): Promise<ServerIcon> {
    const { clock, limits } = this.#options;
    const known = this.#kept.get(src);
    if (known && known.until > clock.monotonic()) return known.icon;
    const icon = this.#load(src);
    this.#kept.delete(src);
    this.#kept.set(src, { icon, until: clock.monotonic() + limits.iconKeptMs });
    for (const [oldest] of this.#kept) {
      if (this.#kept.size <= limits.iconsKeptMax) break;
      this.#kept.delete(oldest);
    }
    return icon;
  }

  /** Whatever goes wrong, there is no picture then: nobody needs one. */
  async #load(src: string): Promise<ServerIcon> {
    try {
      const bytes = src.startsWith('https:') ? await this.#fetch(src) : fromData(src);
      const mimeType = pictureKind(bytes);
      if (mimeType === undefined || bytes.length > this.#options.limits.iconBytesMax) return {};
      return { mimeType, data: Buffer.from(bytes).toString('base64') };
    } catch {
      return {};
    }
  }

  async #fetch(src: string): Promise<Uint8Array> {
    const { fetch, limits, clock } = this.#options;
    const enough = new AbortController();
    const cancel = clock.after(limits.iconTimeoutMs, () =>
      enough.abort(new Error('the picture did not come')),
    );
    try {
      const answer = await fetch(src, {
        signal: enough.signal,
        redirect: 'error',
        headers: { accept: 'image/*' },
      });
      if (answer.ok) return await answer.bytes();
      ignore(answer.body?.cancel() ?? Promise.resolve(), 'nobody reads it');
      return new Uint8Array();
    } finally {
      cancel();
    }
  }
}

function fromData(src: string): Uint8Array {
  return Buffer.from(src.slice(src.indexOf(',') + 1), 'base64');
}
