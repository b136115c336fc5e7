export interface Topic {
  readonly title: string;
  /** Lines with two leading blanks stay as they are; others are wrapped. Headings are in capitals. */
  readonly text: string;
}

const SERVERS_AND_CALLS = {
  'getting-started': 'the first five minutes',
  adding: 'what plug add accepts',
  names: 'names of servers, tools and accounts',
  approvals: 'which calls ask first, and how to answer',
  grants: 'let a tool run without asking',
  rules: 'rules for calls and data, and defaults',
  secrets: 'keys, the vault and signing in',
};
export type ServersAndCalls = keyof typeof SERVERS_AND_CALLS;

const FACES_AND_FILES = {
  gateway: 'one entry for every MCP host',
  chat: 'chat with a model that uses your servers',
  documents: 'run prompts from files',
  'config-files': 'config files and their order',
  environment: 'environment variables',
  'exit-codes': 'exit codes for scripts',
  troubleshooting: 'fix common problems',
  completion: 'Tab completion in bash, zsh and fish',
};
export type FacesAndFiles = keyof typeof FACES_AND_FILES;

interface Page {
  readonly says: string;
  readonly load: () => Promise<Topic>;
}

export const topics: Readonly<Record<string, Page>> = {
  ...pagesOf(SERVERS_AND_CALLS, async () => (await import('./topics/servers-and-calls.ts')).serversAndCalls),
  ...pagesOf(FACES_AND_FILES, async () => (await import('./topics/faces-and-files.ts')).facesAndFiles),
};

/** The first line of a page is its title. */
function pagesOf<Name extends string>(
  about: Readonly<Record<Name, string>>,
  load: () => Promise<Readonly<Record<Name, string>>>,
): Readonly<Record<string, Page>> {
  const page = (name: Name): Page => ({
    says: about[name],
    load: async () => {
      const [title = '', ...text] = (await load())[name].split('\n');
      return { title, text: text.join('\n') };
    },
  });
  const names = Object.keys(about) as Name[]; // it has no others
  return Object.fromEntries(names.map((name) => [name, page(name)]));
}
