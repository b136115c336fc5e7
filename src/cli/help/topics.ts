/** A page of `plug help TOPIC`. */
export interface Topic {
  readonly title: string;
  /**
   * Paragraphs with a blank line between them. A line that begins with two blanks stands as it is;
   * everything else is wrapped to the width of the terminal. A heading is in capitals.
   */
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

/** A page is loaded when somebody reads it; what it is about is known before. */
interface Page {
  readonly says: string;
  readonly load: () => Promise<Topic>;
}

export const topics: Readonly<Record<string, Page>> = {
  ...pagesOf(SERVERS_AND_CALLS, async () => (await import('./topics/servers-and-calls.ts')).serversAndCalls),
  ...pagesOf(FACES_AND_FILES, async () => (await import('./topics/faces-and-files.ts')).facesAndFiles),
};

function pagesOf<Name extends string>(
  about: Readonly<Record<Name, string>>,
  load: () => Promise<Readonly<Record<Name, Topic>>>,
): Readonly<Record<string, Page>> {
  const names = Object.keys(about) as Name[]; // it has no others
  const pages = names.map((name) => [name, { says: about[name], load: async () => (await load())[name] }]);
  return Object.fromEntries(pages) as Readonly<Record<string, Page>>; // one of each name
}
