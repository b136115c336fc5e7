import type { Remedy } from '../../../src/base/remedy.ts';
import { namesSecret } from '../../../src/base/secret-names.ts';
import type { NeededField, NeededValue } from '../../../src/servers/plans/needs.ts';
import type { ServerState, ServerView } from '../hub/hub-context.tsx';
import { isOurs } from '../servers/kept-here.ts';

/** The one form that mends a server in its state. Everything that it needs is in here. */
export type Repair =
  | { readonly form: 'none' }
  | { readonly form: 'trust'; readonly changed: boolean }
  /** A key, or another value that is missing or wrong. */
  | { readonly form: 'values'; readonly inputs: readonly RepairInput[] }
  | { readonly form: 'folder'; readonly path?: string }
  | { readonly form: 'port'; readonly port: number }
  | { readonly form: 'install'; readonly program: string; readonly url: string; readonly line?: string }
  | { readonly form: 'install-package'; readonly scripts: boolean }
  | { readonly form: 'sign-in' }
  /** It signs in by itself, and waits for its page to be visited. */
  | { readonly form: 'open-address'; readonly url: string }
  | { readonly form: 'unlock' }
  | { readonly form: 'review'; readonly tool?: string }
  | { readonly form: 'edit' }
  /** It stands in a file, which only its user writes. */
  | { readonly form: 'file'; readonly file: string; readonly names: readonly string[] }
  | { readonly form: 'retry'; readonly at?: number }
  | { readonly form: 'reconnect' }
  | { readonly form: 'turn-on' };

export interface RepairInput {
  readonly title: string;
  readonly kind: 'secret' | 'folder' | 'text';
  readonly to: RepairTarget;
}

/** Where a value goes: into the vault alone, or into the definition that refers to it. */
export type RepairTarget =
  | { readonly in: 'vault'; readonly secret: string }
  | { readonly in: NeededValue['where']; readonly name: string }
  /** In the place of a reference that leads nowhere. */
  | { readonly in: 'placeholder'; readonly placeholder: string; readonly name: string };

/** A server's state and its remedy, as exactly one form. What stops it counts more than what can wait. */
export function repairOf(server: ServerView): Repair {
  if (server.untrusted !== undefined) return { form: 'trust', changed: server.untrusted.changed };
  const repair = forState(server, server.state);
  return isOurs(server) ? repair : inFile(server, repair);
}

/** What waits for a person, the most serious first; a server that needs nobody has none. */
export type Attention = 'failed' | 'waiting' | 'degraded' | 'review';

export function attentionOf(server: ServerView): Attention | undefined {
  const { state, untrusted, review } = server;
  if (untrusted !== undefined || (state.kind === 'starting' && state.remedy !== undefined)) return 'waiting';
  return OF_STATE[state.kind] ?? (review !== undefined && state.kind !== 'disabled' ? 'review' : undefined);
}

const OF_STATE: Readonly<Record<ServerState['kind'], Attention | undefined>> = {
  failed: 'failed',
  'needs-sign-in': 'waiting',
  'needs-input': 'waiting',
  quarantined: 'review',
  degraded: 'degraded',
  starting: undefined,
  ready: undefined,
  asleep: undefined,
  disabled: undefined,
};

function forState(server: ServerView, state: ServerState): Repair {
  switch (state.kind) {
    case 'failed':
      return forFailure(server, state);
    case 'needs-sign-in':
      return ofNeeds(state.needs) ?? ofRemedy(server, state.remedy, { form: 'sign-in' });
    case 'needs-input':
      return ofMissing(server.id, state.missing) ?? ofRemedy(server, state.remedy, { form: 'edit' });
    case 'degraded':
      return { form: 'reconnect' };
    case 'quarantined':
      return review(server);
    case 'disabled':
      return { form: 'turn-on' };
    case 'ready':
    case 'asleep':
    case 'starting':
      break;
  }
  const otherwise: Repair = server.review === undefined ? { form: 'none' } : review(server);
  return state.kind === 'starting' ? ofRemedy(server, state.remedy, otherwise) : otherwise;
}

function forFailure(server: ServerView, state: Extract<ServerState, { kind: 'failed' }>): Repair {
  const retry: Repair = { form: 'retry', ...(state.retryAt === undefined ? {} : { at: state.retryAt }) };
  // Without a way to install it, the command itself is what can be corrected.
  const otherwise = state.missingCommand === undefined ? retry : EDIT;
  return ofNeeds(state.needs) ?? ofRemedy(server, state.remedy, otherwise);
}

function review({ review: found }: ServerView): Repair {
  return { form: 'review', ...(found === undefined ? {} : { tool: found.tool }) };
}

/** Only remedies that say more than the state does have a form of their own. */
function ofRemedy(server: ServerView, remedy: Remedy | undefined, otherwise: Repair): Repair {
  if (remedy === undefined) return otherwise;
  // Each row takes the remedies of its own `do`, which the compiler cannot follow through an index.
  const form = REMEDIES[remedy.do] as ((remedy: Remedy, server: ServerView) => Repair) | undefined;
  return form?.(remedy, server) ?? otherwise;
}

type FormOf<Do> = (remedy: Extract<Remedy, { do: Do }>, server: ServerView) => Repair;

const REMEDIES: { readonly [Do in Remedy['do']]?: FormOf<Do> } = {
  'sign-in': () => ({ form: 'sign-in' }),
  'give-client-id': () => ({ form: 'sign-in' }),
  'open-address': ({ url }) => ({ form: 'open-address', url }),
  'set-secret': ({ name }) => values([{ title: fieldIn(name), kind: 'secret', to: vault(name) }]),
  'unlock-vault': () => ({ form: 'unlock' }),
  install: ({ program, url, line }) => ({
    form: 'install',
    program,
    url,
    ...(line === undefined ? {} : { line }),
  }),
  'install-package': ({ scripts = false }) => ({ form: 'install-package', scripts }),
  'choose-port': ({ port }) => ({ form: 'port', port }),
  'choose-path': ({ path }) => ({ form: 'folder', path }),
  'edit-server': ({ field }, server) => ofField(server, field),
  trust: () => ({ form: 'trust', changed: false }),
};

function ofField({ transport }: ServerView, field: string | undefined): Repair {
  const [, variable] = /^env\.(.+)$/.exec(field ?? '') ?? [];
  if (variable !== undefined) return values([named('env', variable)]);
  const isHeader = transport !== 'stdio' && field !== undefined && !NOT_HEADERS.has(field);
  return isHeader ? values([named('header', field)]) : EDIT;
}

const EDIT: Repair = { form: 'edit' };
const NOT_HEADERS: ReadonlySet<string> = new Set(['url', 'args', 'env', 'command', 'cwd']);

function named(where: 'env' | 'header', name: string): RepairInput {
  const isSecret = where === 'header' || namesSecret(name);
  return { title: name, kind: isSecret ? 'secret' : 'text', to: { in: where, name } };
}

function ofNeeds(needs: readonly NeededField[] = []): Repair | undefined {
  const inputs = needs.map(({ title, kind, where, name }): RepairInput => ({
    title,
    kind,
    to: { in: where, name },
  }));
  const [first] = inputs;
  if (first === undefined) return undefined;
  const isPlace = inputs.length === 1 && first.kind === 'folder' && first.to.in === 'argument';
  return isPlace ? { form: 'folder' } : values(inputs);
}

/** Inputs and secrets are kept in the vault; any other reference is replaced by one into it. */
function ofMissing(server: string, missing: readonly string[]): Repair | undefined {
  const inputs = [...new Set(missing)].map((placeholder): RepairInput => {
    const [, kind, name = placeholder] = /^\$\{(?:(\w+):)?([^}]+)\}$/.exec(placeholder) ?? [];
    const title = fieldIn(name);
    if (kind === 'vault') return { title, kind: 'secret', to: vault(name) };
    if (kind === 'input') return { title, kind: 'secret', to: vault(`${server}/${name}`) };
    const to = { in: 'placeholder', placeholder, name: fieldIn(name) } as const;
    return { title, kind: 'secret', to };
  });
  return inputs.length === 0 ? undefined : values(inputs);
}

/** A definition in a file is changed there. What goes into the vault alone is asked for all the same. */
function inFile({ source }: ServerView, repair: Repair): Repair {
  const names = namesToChange(repair);
  return names === undefined ? repair : { form: 'file', file: source.file ?? '', names };
}

/** Undefined for what needs no change of the definition. */
function namesToChange(repair: Repair): readonly string[] | undefined {
  if (repair.form === 'edit') return [];
  if (repair.form === 'port') return [String(repair.port)];
  if (repair.form === 'folder') return repair.path === undefined ? [] : [repair.path];
  if (repair.form !== 'values') return undefined;
  const names = repair.inputs.flatMap(({ to }) => nameOf(to) ?? []);
  return names.length === 0 ? undefined : names;
}

function nameOf(to: RepairTarget): string | undefined {
  if (to.in === 'vault') return undefined;
  return to.in === 'placeholder' ? to.placeholder : to.name;
}

function values(inputs: readonly RepairInput[]): Repair {
  return { form: 'values', inputs };
}

function vault(secret: string): RepairTarget {
  return { in: 'vault', secret };
}

/** `github/TOKEN` is the TOKEN of github. */
function fieldIn(name: string): string {
  return name.slice(name.lastIndexOf('/') + 1);
}
