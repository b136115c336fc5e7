import type { Remedy, Shown } from '../../../src/base/remedy.ts';
import { places } from '../frame/places.ts';

export interface RemedyPlace {
  readonly label: string;
  readonly to: string;
}

/** Where on the page a remedy is carried out, and what its button says; undefined where no place does it. */
export function placeOf(remedy: Remedy): RemedyPlace | undefined {
  // Each row takes the remedies of its own `do`, which the compiler cannot follow through an index.
  return (PLACES[remedy.do] as (remedy: Remedy) => RemedyPlace | undefined)(remedy);
}

const LISTS: Readonly<Record<Shown, RemedyPlace>> = {
  servers: { label: 'See the servers', to: places.servers },
  profiles: { label: 'See the profiles', to: setting('profiles') },
  hosts: { label: 'See the hosts', to: setting('apps') },
  grants: { label: 'See the grants', to: places.grants },
  approvals: { label: 'See the approvals', to: places.approvals },
  rules: { label: 'See the grants', to: places.grants },
  models: { label: 'See the models', to: setting('models') },
  secrets: { label: 'Open the vault', to: setting('vault') },
  hub: { label: 'See the hub', to: setting('about') },
  gateway: { label: 'Connect apps', to: setting('apps') },
};

type Place<Do> = (remedy: Extract<Remedy, { do: Do }>) => RemedyPlace | undefined;

const PLACES: { readonly [Do in Remedy['do']]: Place<Do> } = {
  'sign-in': ({ server }) => at('Sign in', server, 'accounts'),
  'open-address': ({ server }) => at('Sign in', server, 'accounts'),
  'give-client-id': ({ server }) => at('Sign in', server, 'accounts'),
  'sign-out': ({ server }) => at('See the accounts', server, 'accounts'),
  'choose-account': ({ server }) =>
    server === undefined ? LISTS.servers : at('See the accounts', server, 'accounts'),
  restart: opened,
  enable: opened,
  disable: opened,
  trust: opened,
  remove: opened,
  'import-again': opened,
  'install-package': opened,
  'show-server': opened,
  'edit-server': ({ server }) => at('Edit', server, 'config'),
  'choose-port': ({ server }) => at('Choose another port', server, 'tools'),
  'choose-path': ({ server }) => at('Choose folder', server, 'tools'),
  'show-logs': ({ server }) => at('See the log', server, 'logs'),
  check: ({ server }) =>
    server === undefined
      ? { label: 'Run the doctor', to: setting('doctor') }
      : at('Check server', server, 'check'),
  'add-server': ({ name }) => ({
    label: 'Add server',
    to: `${places.add}?text=${encodeURIComponent(name)}`,
  }),
  'find-server': ({ words }) => ({
    label: 'Search registries',
    to: `${places.add}?from=registries&q=${encodeURIComponent(words)}`,
  }),
  import: () => ({ label: 'Import servers', to: `${places.add}?from=clients` }),
  'list-tools': ({ server }) => (server === undefined ? LISTS.servers : at('See the tools', server, 'tools')),
  'list-resources': ({ server }) => at('See the tools', server, 'tools'),
  'review-tools': ({ server }) =>
    server === undefined ? LISTS.servers : at('Review tools', server, 'tools'),
  'approve-tools': ({ tools: [tool = ''] }) => at('Review changes', serverOf(tool), 'tools'),
  'enable-tool': ({ tool }) => at('See the tools', serverOf(tool), 'tools'),
  call: ({ tool }) => at('See the tools', serverOf(tool), 'tools'),
  grant: () => ({ label: 'Add a grant', to: places.grants }),
  'revoke-grant': () => LISTS.grants,
  approve: () => LISTS.approvals,
  'allow-writes': () => ({ label: 'Read-only mode', to: setting('read-only') }),
  'show-profile': () => LISTS.profiles,
  'add-host': () => LISTS.hosts,
  'replace-host': () => LISTS.hosts,
  'set-secret': () => LISTS.secrets,
  'move-vault-key': () => LISTS.secrets,
  'unlock-vault': () => ({ label: 'Unlock the vault', to: setting('vault') }),
  'add-model': () => LISTS.models,
  'test-model': () => LISTS.models,
  show: ({ what }) => LISTS[what],
  'check-rules': () => ({ label: 'Run the doctor', to: setting('doctor') }),
  undo: () => ({ label: 'See changes', to: places.activity }),
  update: ({ server }) => (server === undefined ? LISTS.servers : at('See versions', server, 'config')),
  // Done outside of the page: told in words.
  'start-hub': nowhere,
  'restart-hub': nowhere,
  'open-page': nowhere,
  help: nowhere,
  install: nowhere,
  'skip-test': nowhere,
  retry: nowhere,
  wait: nowhere,
  run: nowhere,
  type: nowhere,
  say: nowhere,
};

function opened({ server }: { readonly server: string }): RemedyPlace {
  return at('Open server', server, 'tools');
}

function nowhere(): undefined {
  return undefined;
}

function at(label: string, server: string, tab: string): RemedyPlace {
  return { label, to: places.server(server, tab) };
}

function setting(part: string): string {
  return `${places.settings}/${part}`;
}

/** Server ids have no slash. */
function serverOf(tool: string): string {
  return tool.split('/')[0] ?? tool;
}
