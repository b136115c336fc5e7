import type { Secret } from '../../base/secret.ts';
import { isObject } from '../../base/json.ts';
import { fingerprintOf } from '../../servers/definition.ts';
import { cleanConfigText, cleanDefinition } from './clean.ts';
import { KINDS, nameOfItem, type CarriedFile, type Contents, type OpenContents } from './contents.ts';

export interface CarryOptions {
  readonly redactForeign: <T>(value: T) => T;
  readonly redactText: (text: string) => string;
  readonly configPath: string;
  readonly secrets: ReadonlyMap<string, Secret>;
}

export interface Carried {
  readonly open: Contents;
  /** What holds a secret that cannot be taken out: it travels sealed, or not at all. */
  readonly closed: Contents;
  readonly leftOut: OpenContents['leftOut'];
  readonly taken: ReadonlyMap<string, Secret>;
}

/** Invariant: `open` holds no secret, known or by its looks; grants and trust are bound to the cleaned definition. */
export function carry(gathered: Contents, options: CarryOptions): Carried {
  const carrier = new Carrier(options);
  // These two find what has to be bound anew.
  const servers = carrier.servers(gathered.servers);
  const files = carrier.files(gathered.files);
  return carrier.part({
    ...gathered,
    servers,
    files,
    grants: gathered.grants.map((grant) => carrier.rebound(grant)),
    serverTrust: gathered.serverTrust.map((trust) => carrier.rebound(trust)),
  });
}

class Carrier {
  readonly #options: CarryOptions;
  readonly #taken = new Map<string, Secret>();
  readonly #rebound = new Map<string, string>();
  readonly #closed = new Set<unknown>();

  constructor(options: CarryOptions) {
    this.#options = options;
  }

  servers(definitions: Contents['servers']): Contents['servers'] {
    return definitions.map((given) => {
      const { definition, keys } = cleanDefinition(given);
      if (keys.length === 0) return given;
      if (!this.#take(keys)) return this.#close(given);
      this.#rebound.set(fingerprintOf(given), fingerprintOf(definition));
      return definition;
    });
  }

  files(files: readonly CarriedFile[]): readonly CarriedFile[] {
    return files.map((file) => {
      if (file.name === 'mcp.json') return this.#config(file);
      if (file.name !== 'registries.json') return file;
      const isClean = !hasHeaders(file.text) && this.#options.redactText(file.text) === file.text;
      return isClean ? file : this.#close(file);
    });
  }

  rebound<T extends { readonly fingerprint: string }>(row: T): T {
    const fingerprint = this.#rebound.get(row.fingerprint);
    return fingerprint === undefined ? row : { ...row, fingerprint };
  }

  part(all: Contents): Carried {
    const leftOut: { kind: keyof Contents; name: string }[] = [];
    const parted = KINDS.map((kind) => {
      const items: readonly unknown[] = all[kind];
      const { open = [], closed = [] } = Object.groupBy(items, (item) =>
        this.#isSafe(item) ? 'open' : 'closed',
      );
      const nameOf = nameOfItem[kind] as (item: unknown) => string; // each list has items of its own kind
      leftOut.push(...closed.map((item) => ({ kind, name: nameOf(item) })));
      return { kind, open, closed };
    });
    const part = (which: 'open' | 'closed'): Contents =>
      Object.fromEntries(parted.map((each) => [each.kind, each[which]])) as unknown as Contents; // every kind
    return { open: part('open'), closed: part('closed'), leftOut, taken: this.#taken };
  }

  #config(file: CarriedFile): CarriedFile {
    const { configPath, redactText } = this.#options;
    const clean = cleanConfigText(file.text, configPath, redactText);
    if (!clean || !this.#take(clean.keys)) return this.#close(file);
    for (const [old, fresh] of clean.rebound) this.#rebound.set(old, fresh);
    return { ...file, text: clean.text };
  }

  /** False when another secret goes by the same name: then nothing is taken. */
  #take(keys: readonly { readonly name: string; readonly value: Secret }[]): boolean {
    const fits = keys.every(({ name, value }) => {
      const known = this.#taken.get(name) ?? this.#options.secrets.get(name);
      return known === undefined || known.reveal() === value.reveal();
    });
    if (fits) for (const { name, value } of keys) this.#taken.set(name, value);
    return fits;
  }

  #close<T>(item: T): T {
    this.#closed.add(item);
    return item;
  }

  #isSafe(item: unknown): boolean {
    return !this.#closed.has(item) && this.#options.redactForeign(item) === item;
  }
}

/** Headers of a registry have no way to name a secret: they are the key itself. */
function hasHeaders(text: string): boolean {
  try {
    const registries: unknown = JSON.parse(text);
    if (!isObject(registries)) return true;
    return Object.values(registries).some((registry) => isObject(registry) && isObject(registry['headers']));
  } catch {
    return true; // nobody knows what is in it
  }
}
