import type { Secret } from '../../base/secret.ts';
import { isObject } from '../../base/json.ts';
import { fingerprintOf } from '../../servers/definition.ts';
import { cleanConfigText } from './clean-config-text.ts';
import { cleanDefinition } from './clean-definition.ts';
import { emptyContents, nameOfItem, type CarriedFile, type Contents, type OpenContents } from './contents.ts';

export interface CarryOptions {
  /** Hides what is surely a secret of ours. */
  readonly redactForeign: <T>(value: T) => T;
  readonly redactText: (text: string) => string;
  readonly configPath: string;
  /** What the vault holds, by name, where it is known. */
  readonly secrets: ReadonlyMap<string, Secret>;
}

export interface Carried {
  readonly open: Contents;
  /** What holds a secret that cannot be taken out: it travels sealed, or not at all. */
  readonly closed: Contents;
  readonly leftOut: OpenContents['leftOut'];
  /** Secrets that were taken out of definitions and files. */
  readonly taken: ReadonlyMap<string, Secret>;
}

/**
 * Parts what may travel in the clear from what may not.
 *
 * Invariant: nothing in `open` holds a secret that we know or that looks like one; references stand
 * in their place, and whatever was bound to a definition is bound to the one with the references.
 */
export function carry(gathered: Contents, options: CarryOptions): Carried {
  const carrier = new Carrier(options);
  const servers = carrier.servers(gathered.servers);
  const files = carrier.files(gathered.files);
  const bound = {
    grants: gathered.grants.map((grant) => carrier.rebound(grant)),
    serverTrust: gathered.serverTrust.map((trust) => carrier.rebound(trust)),
  };
  const all: Contents = { ...gathered, ...bound, servers, files };
  return carrier.part(all);
}

class Carrier {
  readonly #options: CarryOptions;
  readonly #taken = new Map<string, Secret>();
  readonly #rebound = new Map<string, string>();
  /** Items that could not be cleaned. */
  readonly #closed = new Set<unknown>();

  constructor(options: CarryOptions) {
    this.#options = options;
  }

  servers(definitions: Contents['servers']): Contents['servers'] {
    return definitions.map((given) => {
      const { definition, keys } = cleanDefinition(given);
      if (keys.length === 0) return given;
      if (!this.#take(keys)) {
        this.#closed.add(given);
        return given;
      }
      this.#rebound.set(fingerprintOf(given), fingerprintOf(definition));
      return definition;
    });
  }

  files(files: readonly CarriedFile[]): readonly CarriedFile[] {
    return files.map((file) => {
      if (file.name === 'mcp.json') return this.#config(file);
      const { redactText } = this.#options;
      const isRegistries = file.name === 'registries.json';
      if (isRegistries && (hasHeaders(file.text) || redactText(file.text) !== file.text)) {
        this.#closed.add(file);
      }
      return file;
    });
  }

  rebound<T extends { readonly fingerprint: string }>(row: T): T {
    const fingerprint = this.#rebound.get(row.fingerprint);
    return fingerprint === undefined ? row : { ...row, fingerprint };
  }

  part(all: Contents): Carried {
    const [open, closed] = [{ ...emptyContents }, { ...emptyContents }];
    const leftOut: { kind: keyof Contents; name: string }[] = [];
    const kinds = Object.keys(emptyContents) as readonly (keyof Contents)[]; // its own keys
    for (const kind of kinds) {
      const items: readonly unknown[] = all[kind];
      const [safe, unsafe] = partition(items, (item) => this.#isSafe(item));
      // Each list is filled with items of its own kind.
      Object.assign(open, { [kind]: safe });
      Object.assign(closed, { [kind]: unsafe });
      const nameOf = nameOfItem[kind] as (item: unknown) => string;
      leftOut.push(...unsafe.map((item) => ({ kind, name: nameOf(item) })));
    }
    return { open, closed, leftOut, taken: this.#taken };
  }

  #config(file: CarriedFile): CarriedFile {
    const { configPath, redactText } = this.#options;
    const clean = cleanConfigText(file.text, configPath, redactText);
    if (!clean || !this.#take(clean.keys)) {
      this.#closed.add(file);
      return file;
    }
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

function partition<T>(items: readonly T[], isFirst: (item: T) => boolean): readonly [T[], T[]] {
  const [first, second]: [T[], T[]] = [[], []];
  for (const item of items) (isFirst(item) ? first : second).push(item);
  return [first, second];
}
