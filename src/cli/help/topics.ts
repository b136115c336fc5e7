export interface Topic {
  readonly title: string;
  /** Lines with two leading blanks stay as they are; others are wrapped. Headings are in capitals. */
  readonly text: string;
}

const SERVERS_AND_CALLS = {
  'getting-started': 'the first five minutes',
  adding: 'everything that plug add understands',
  names: 'how servers, tools and accounts are called',
  approvals: 'what asks before it runs, and how to answer',
  grants: 'letting a tool run without asking',
  rules: 'rules over calls and data, and the defaults',
  secrets: 'keys, the vault, and signing in',
};
export type ServersAndCalls = keyof typeof SERVERS_AND_CALLS;

const FACES_AND_FILES = {
  gateway: 'one entry for every MCP host',
  chat: 'talking to a model that uses your servers',
  documents: 'prompts in files, answered without questions',
  'config-files': 'which files are read, and in which order',
  environment: 'the variables that count',
  'exit-codes': 'what a script can branch on',
  troubleshooting: 'from what you see to what to do',
  completion: 'the Tab key in bash, zsh and fish',
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
