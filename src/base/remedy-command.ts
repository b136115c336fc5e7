import type { EditServerRemedy, NextStep, Remedy, Shown } from './remedy.ts';
import { exactShellWord } from './shell-words.ts';

/** A remedy in a terminal: the command that works as printed, or a sentence where there is none. */
export function commandOf(remedy: Remedy): string {
  // Each row takes the remedies of its own `do`, which the compiler cannot follow through an index.
  return (COMMANDS[remedy.do] as (remedy: Remedy) => string)(remedy);
}

/** A text is advice that is no action of ours. */
export function remedyOf(given: Remedy | string): Remedy;
export function remedyOf(given: Remedy | string | undefined): Remedy | undefined;
export function remedyOf(given: Remedy | string | undefined): Remedy | undefined {
  return typeof given === 'string' ? { do: 'say', text: given } : given;
}

/** The next step of a view: the remedy, and its words for those who read JSON. */
export function nextStep(given: Remedy | string): Required<NextStep>;
export function nextStep(given: Remedy | string | undefined): NextStep;
export function nextStep(given: Remedy | string | undefined): NextStep {
  const remedy = remedyOf(given);
  return remedy === undefined ? {} : { next: commandOf(remedy), remedy };
}

const COMMANDS: { readonly [Do in Remedy['do']]: (remedy: Extract<Remedy, { do: Do }>) => string } = {
  'sign-in': ({ server, account, clientId, callbackPort }) =>
    plug(
      'auth',
      server,
      ...option('account', account),
      ...option('client-id', clientId),
      ...port(callbackPort),
    ),
  'give-client-id': ({ server, callbackPort }) =>
    plug('auth', server, '--client-id', 'ID', ...port(callbackPort)),
  'sign-out': ({ server, account }) => plug('auth', 'logout', server, ...option('account', account)),
  'choose-account': ({ server }) => plug('auth', 'list', ...given(server)),
  restart: ({ server }) => plug('restart', server),
  enable: ({ server }) => plug('enable', server),
  disable: ({ server }) => plug('disable', server),
  trust: ({ server }) => plug('trust', server),
  remove: ({ server }) => plug('remove', server),
  'add-server': ({ name }) => plug('add', name),
  'show-server': ({ server }) => plug('status', server),
  'show-logs': ({ server }) => plug('logs', server),
  check: ({ server, live, fix }) =>
    plug('doctor', ...given(server), ...flag('live', live), ...flag('fix', fix)),
  'find-server': ({ words }) => plug('search', words),
  import: () => plug('import', '--dry-run'),
  'import-again': ({ server, client }) => and(plug('remove', server), plug('import', client, '--follow')),
  'edit-server': (remedy) =>
    isAddressHere(remedy)
      ? `If its address has changed: ${plug('add', remedy.server, 'ADDRESS', '--replace')}`
      : `${capitalized(correction(remedy))}.`,
  'list-tools': ({ server, search, schemas }) =>
    plug('tools', ...given(server), ...option('search', search), ...flag('json', schemas)),
  'list-resources': ({ server }) => plug('resources', server),
  'review-tools': ({ server }) => plug('tools', '--audit', ...given(server)),
  'approve-tools': ({ tools }) => plug('tools', 'approve', ...tools),
  'enable-tool': ({ tool }) => plug('tools', 'enable', tool),
  call: ({ tool }) => plug('call', tool),
  grant: ({ tool, once, argsHash, account }) =>
    plug(
      'grants',
      'add',
      tool,
      ...flag('once', once),
      ...option('args-hash', argsHash),
      ...option('account', account),
    ),
  'revoke-grant': ({ id }) => plug('grants', 'revoke', id),
  approve: ({ id }) => plug('approve', id),
  'allow-writes': ({ server }) => plug('read-only', ...given(server), 'off'),
  'show-profile': ({ name }) => plug('profile', 'show', name),
  'check-rules': () => plug('rules', 'check'),
  'add-host': ({ name }) => plug('host', 'add', name ?? 'NAME'),
  'replace-host': ({ name }) => and(plug('host', 'revoke', name), plug('host', 'add', name)),
  'set-secret': ({ name, server }) => {
    const set = plug('secrets', 'set', name);
    return server === undefined ? set : and(set, plug('restart', server));
  },
  'unlock-vault': () => plug('secrets', 'unlock'),
  'move-vault-key': () => plug('secrets', 'rotate', '--to', 'passphrase'),
  'add-model': ({ name, provider, model, needs }) =>
    plug(
      'model',
      'add',
      ...given(name),
      ...given(provider),
      ...given(model),
      ...flag('key', needs === 'key'),
    ),
  'test-model': ({ name }) => plug('model', 'test', name),
  'start-hub': ({ foreground }) => plug('hub', 'start', ...flag('foreground', foreground)),
  'restart-hub': () => plug('hub', 'restart'),
  'open-page': () => plug('open'),
  show: ({ what }) => plug(...LISTS[what]),
  help: ({ topic }) => plug('help', ...topic.split(' ')),
  install: ({ program, url }) => `Install ${program} from ${url}`,
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

function plug(...words: readonly string[]): string {
  return ['plug', ...words.map(typed)].join(' ');
}

/** What is to be changed in a definition, in words: there is no command that edits one. */
export function correction({
  server,
  field,
  to,
  file = `the definition of ${server}`,
}: EditServerRemedy): string {
  if (field === undefined) return `correct ${file}`;
  return to === undefined ? `correct “${field}” in ${file}` : `set “${field}” to ${to} in ${file}`;
}

/** A server that no file defines gets another address by a command; which one only the user knows. */
function isAddressHere({ field, to, file }: EditServerRemedy): boolean {
  return field === 'url' && to === undefined && file === undefined;
}

function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Two steps that a shell takes as one line. */
function and(first: string, second: string): string {
  return `${first} && ${second}`;
}

/** What no command line can carry is left out: the rest of the name still says what is meant. */
function typed(word: string): string {
  return exactShellWord(word) ?? exactShellWord(word.toWellFormed().replaceAll('\0', '').trimEnd()) ?? '';
}

function given(word: string | undefined): readonly string[] {
  return word === undefined ? [] : [word];
}

function option(name: string, value: string | undefined): readonly string[] {
  return value === undefined ? [] : [`--${name}`, value];
}

function flag(name: string, isSet: boolean | undefined): readonly string[] {
  return isSet === true ? [`--${name}`] : [];
}

function port(callbackPort: number | undefined): readonly string[] {
  return callbackPort === undefined ? [] : ['--callback-port', String(callbackPort)];
}
