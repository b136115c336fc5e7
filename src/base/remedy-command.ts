import type { EditServerRemedy, NextStep, Remedy, Shown } from './remedy.ts';
import { exactShellWord } from './shell-words.ts';

/** A remedy in a terminal: the command that works as printed, or a sentence where there is none. */
export function commandOf(remedy: Remedy): string {
  // Each row takes the remedies of its own `do`, which the compiler cannot follow through an index.
  return (COMMANDS[remedy.do] as (remedy: Remedy) => string)(remedy);
}

export function remedyOf(given: Remedy | string): Remedy;
export function remedyOf(given: Remedy | string | undefined): Remedy | undefined;
export function remedyOf(given: Remedy | string | undefined): Remedy | undefined {
  return typeof given === 'string' ? { do: 'say', text: given } : given;
}

export function nextStep(given: Remedy | string): Required<NextStep>;
export function nextStep(given: Remedy | string | undefined): NextStep;
export function nextStep(given: Remedy | string | undefined): NextStep {
  const remedy = remedyOf(given);
  return remedy === undefined ? {} : { next: commandOf(remedy), remedy };
}

const COMMANDS: { readonly [Do in Remedy['do']]: (remedy: Extract<Remedy, { do: Do }>) => string } = {
  'sign-in': ({ server, account, clientId, callbackPort }) =>
    plug('auth', server, { account, 'client-id': clientId, 'callback-port': callbackPort }),
  'open-address': ({ url }) => `Open ${url}`,
  'give-client-id': ({ server, callbackPort }) =>
    plug('auth', server, { 'client-id': 'ID', 'callback-port': callbackPort }),
  'sign-out': ({ server, account }) => plug('auth', 'logout', server, { account }),
  'choose-account': ({ server }) => plug('auth', 'list', server),
  restart: ({ server }) => plug('restart', server),
  enable: ({ server }) => plug('enable', server),
  disable: ({ server }) => plug('disable', server),
  trust: ({ server }) => plug('trust', server),
  remove: ({ server }) => plug('remove', server),
  'add-server': ({ name }) => plug('add', name),
  'install-package': ({ server, scripts }) => plug('install', server, { scripts }),
  'show-server': ({ server }) => plug('status', server),
  'show-logs': ({ server }) => plug('logs', server),
  check: ({ server, live, fix }) => plug('doctor', server, { live, fix }),
  'find-server': ({ words }) => plug('search', words),
  import: () => plug('import', '--dry-run'),
  'import-again': ({ server, client }) => and(plug('remove', server), plug('import', client, '--follow')),
  'edit-server': (remedy) => {
    const again = plug('add', remedy.server, remedy.address ?? 'ADDRESS', '--replace');
    if (isHere(remedy, /^url$/)) return `If its address has changed: ${again}`;
    return isHere(remedy, /^headers\./) ? `Give it a key: ${again}` : `${capitalized(correction(remedy))}.`;
  },
  'choose-port': ({ server, holder }) =>
    holder === undefined ? plug('doctor', server) : `Stop ${holder}, or give ${server} another port.`,
  'choose-path': ({ server, path }) =>
    `Bring ${path} back, or correct its path in the definition of ${server}`,
  'list-tools': ({ server, search, schemas }) => plug('tools', server, { search, json: schemas }),
  'list-resources': ({ server }) => plug('resources', server),
  'review-tools': ({ server }) => plug('tools', '--audit', server),
  'approve-tools': ({ tools }) => plug('tools', 'approve', ...tools),
  'enable-tool': ({ tool }) => plug('tools', 'enable', tool),
  call: ({ tool }) => plug('call', tool),
  grant: ({ tool, once, argsHash, account }) =>
    plug('grants', 'add', tool, { once, 'args-hash': argsHash, account }),
  'revoke-grant': ({ id }) => plug('grants', 'revoke', id),
  approve: ({ id }) => plug('approve', id),
  'allow-writes': ({ server }) => plug('read-only', server, 'off'),
  'show-profile': ({ name }) => plug('profile', 'show', name),
  'check-rules': () => plug('rules', 'check'),
  'add-host': ({ name }) => plug('host', 'add', name ?? 'NAME'),
  'replace-host': ({ name }) => and(plug('host', 'revoke', name), plug('host', 'add', name)),
  'set-secret': ({ name, server }) =>
    and(plug('secrets', 'set', name), ...(server === undefined ? [] : [plug('restart', server)])),
  'unlock-vault': () => plug('secrets', 'unlock'),
  'move-vault-key': () => plug('secrets', 'rotate', '--to', 'passphrase'),
  'add-model': ({ name, provider, model, needs }) =>
    plug('model', 'add', name, provider, model, { key: needs === 'key' }),
  'test-model': ({ name }) => plug('model', 'test', name),
  'start-hub': ({ foreground }) => plug('hub', 'start', { foreground }),
  'restart-hub': () => plug('hub', 'restart'),
  'open-page': () => plug('open'),
  show: ({ what }) => plug(...LISTS[what]),
  undo: ({ force }) => plug('undo', { force }),
  update: ({ server }) => plug('update', server),
  help: ({ topic }) => plug('help', ...topic.split(' ')),
  install: ({ program, url }) => `Install ${program} from ${url}`,
  'skip-test': () => 'Correct it, or save it without a test: --no-test',
  retry: () => 'Try again in a moment.',
  wait: ({ seconds }) => `Wait ${seconds === 60 ? 'a minute' : `${seconds} s`}, then try again.`,
  run: ({ line }) => line,
  type: ({ line }) => line,
  say: ({ text }) => text,
};

const LISTS: Readonly<Record<Shown, readonly string[]>> = {
  servers: ['list'],
  profiles: ['profile', 'list'],
  hosts: ['host', 'list'],
  grants: ['grants', 'list'],
  approvals: ['approvals'],
  rules: ['rules'],
  models: ['model', 'list'],
  secrets: ['secrets', 'list'],
  hub: ['hub', 'status'],
  gateway: ['gateway'],
};

type Options = Readonly<Record<string, string | number | boolean | undefined>>;

/** Undefined words and options are left out. */
function plug(...words: readonly (string | undefined | Options)[]): string {
  const given = words.flatMap((word) => (typeof word === 'object' ? optionsIn(word) : (word ?? [])));
  return ['plug', ...given.map(typed)].join(' ');
}

function optionsIn(options: Options): readonly string[] {
  return Object.entries(options).flatMap(([name, value]) => {
    if (value === undefined || value === false) return [];
    return value === true ? [`--${name}`] : [`--${name}`, String(value)];
  });
}

/** The change to make in a definition, in words: no command edits one. */
export function correction(remedy: EditServerRemedy): string {
  const { server, field, to, file = `the definition of ${server}` } = remedy;
  if (field === undefined) return `correct ${file}`;
  return to === undefined ? `correct “${field}” in ${file}` : `set “${field}” to ${to} in ${file}`;
}

/** A server that no file defines gets another address, or a key, by a command. */
function isHere({ field = '', to, file }: EditServerRemedy, fields: RegExp): boolean {
  return fields.test(field) && to === undefined && file === undefined;
}

function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function and(...steps: readonly string[]): string {
  return steps.join(' && ');
}

/** Characters that no command line can carry are left out: the rest still tells what is meant. */
function typed(word: string): string {
  return exactShellWord(word) ?? exactShellWord(word.toWellFormed().replaceAll('\0', '').trimEnd()) ?? '';
}
