import { commandOf, correction } from './remedy-command.ts';
import type { Remedy, Shown } from './remedy.ts';
import { sentence } from './sentence.ts';

/** A remedy as a sentence that a model can act on. It has no terminal: commands are for the user to type. */
export function sentenceOf(remedy: Remedy): string {
  // Each row takes the remedies of its own `do`, which the compiler cannot follow through an index.
  const own = (OWN_SENTENCES as Partial<Record<Remedy['do'], (of: Remedy) => string>>)[remedy.do];
  if (own) return own(remedy);
  const deed = (DEEDS as Partial<Record<Remedy['do'], (of: Remedy) => string>>)[remedy.do];
  return `Ask the user to ${deed?.(remedy) ?? ''}; in a terminal: ${commandOf(remedy)}`;
}

export function toldToModel(message: string, remedy: Remedy | undefined, gap = ' '): string {
  return remedy === undefined ? message : `${message}${gap}Next: ${sentenceOf(remedy)}`;
}

/** The same for the person themselves, in a conversation of any face: what to do, without a command. */
export function stepOf(remedy: Remedy): string {
  if (remedy.do === 'install') return `install ${remedy.program} from ${remedy.url}`;
  if (remedy.do === 'edit-server') return correction(remedy);
  if (remedy.do === 'say') return remedy.text;
  if (remedy.do === 'skip-test') return sentenceOf(remedy);
  const deed = (DEEDS as Partial<Record<Remedy['do'], (of: Remedy) => string>>)[remedy.do];
  return deed?.(remedy) ?? commandOf(remedy);
}

type Told<Do> = (remedy: Extract<Remedy, { do: Do }>) => string;

/** Remedies that the model carries out itself, or that have no command. */
const OWN_SENTENCES = {
  'skip-test': () => 'Correct it, or save it without a test.',
  retry: commandOf,
  wait: commandOf,
  say: ({ text }) => sentence(text),
  call: ({ tool }) => `Call ${tool}.`,
  'list-tools': ({ server, search }) =>
    `Look at the tools${ofServer(server)}${search === undefined ? '' : ` that match “${search}”`} again.`,
  'list-resources': ({ server }) => `Look at the resources of ${server}.`,
  'open-address': ({ server, url }) => `Ask the user to sign in to ${server} at ${url}, then try again.`,
  install: ({ program, url }) => `Ask the user to install ${program} from ${url}.`,
  'edit-server': (remedy) => `Ask the user to ${correction(remedy)}.`,
  'choose-path': (remedy) => `Ask the user: ${commandOf(remedy)}.`,
  'choose-port': ({ server, port, holder }) =>
    `Ask the user to stop ${holder ?? `the program that uses port ${port}`}, or to give ${server} another port.`,
  run: ({ line }) => `Ask the user to run this in a terminal: ${line}`,
  type: ({ line }) => `Ask the user to run this in a terminal: ${line}`,
} as const satisfies { readonly [Do in Remedy['do']]?: Told<Do> };

const DEEDS: { readonly [Do in Exclude<Remedy['do'], keyof typeof OWN_SENTENCES>]: Told<Do> } = {
  'sign-in': ({ server, account }) => `sign in to ${server}${account === undefined ? '' : ` as ${account}`}`,
  'give-client-id': ({ server }) => `register a client for ${server} and give its id`,
  'sign-out': ({ server }) => `sign out of ${server}`,
  'choose-account': ({ server }) => `choose an account${ofServer(server)}`,
  restart: ({ server }) => `restart the server ${server}`,
  enable: ({ server }) => `enable the server ${server}`,
  disable: ({ server }) => `disable the server ${server}`,
  trust: ({ server }) => `trust the server ${server}`,
  remove: ({ server }) => `remove the server ${server}`,
  'add-server': ({ name }) => `add the server ${name}`,
  'show-server': ({ server }) => `look at the server ${server}`,
  'install-package': ({ server, scripts }) =>
    `install the package of ${server}${scripts === true ? ' with its install scripts' : ''}`,
  'show-logs': ({ server }) => `look at the log of ${server}`,
  check: ({ server }) => (server === undefined ? 'run the doctor' : `check the server ${server}`),
  'find-server': ({ words }) => `look for a server: ${words}`,
  import: () => 'import their servers',
  'import-again': ({ server }) => `import ${server} again`,
  'review-tools': ({ server }) => `review the tools${ofServer(server)}`,
  'approve-tools': ({ tools }) => `review and approve ${tools.join(', ')}`,
  'enable-tool': ({ tool }) => `switch ${tool} on`,
  grant: ({ tool, once }) => `allow ${tool}${once === true ? ' once' : ''}`,
  'revoke-grant': ({ id }) => `revoke the grant ${id}`,
  approve: ({ id }) => `answer the approval ${id}`,
  'allow-writes': ({ server }) => `switch read-only mode off${server === undefined ? '' : ` for ${server}`}`,
  'show-profile': ({ name }) => `look at the profile ${name}`,
  'check-rules': () => 'check the rules file',
  'add-host': () => 'make a token for this host',
  'replace-host': ({ name }) => `revoke the host ${name} and add it again`,
  'set-secret': ({ name }) => `put the secret ${name} into the vault`,
  'unlock-vault': () => 'unlock the vault',
  'move-vault-key': () => 'protect the vault with a passphrase',
  'add-model': ({ name, needs }) =>
    needs === 'key' ? `give the key of the model${name === undefined ? '' : ` ${name}`}` : 'add a model',
  'test-model': ({ name }) => `test the model ${name}`,
  'start-hub': () => 'start the hub',
  'restart-hub': () => 'restart the hub',
  'open-page': () => 'open the page',
  show: ({ what }) => LOOKED_AT[what],
  undo: () => 'undo the last change',
  update: ({ server }) => (server === undefined ? 'update their servers' : `update the server ${server}`),
  help: ({ topic }) => `read the help on ${topic}`,
};

const LOOKED_AT: Readonly<Record<Shown, string>> = {
  servers: 'look at their servers',
  profiles: 'look at their profiles',
  hosts: 'look at their hosts',
  grants: 'look at their grants',
  approvals: 'answer the pending approvals',
  rules: 'look at their rules',
  models: 'look at their models',
  secrets: 'look at the names in the vault',
  hub: 'look at the state of the hub',
  gateway: 'use the gateway',
};

function ofServer(server: string | undefined): string {
  return server === undefined ? '' : ` of ${server}`;
}
