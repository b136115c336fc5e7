import type { Topic } from './topic.ts';

/** A page is loaded when somebody reads it; what it is about is known before. */
interface Page {
  readonly says: string;
  readonly load: () => Promise<Topic>;
}

export const topics: Readonly<Record<string, Page>> = {
  'getting-started': {
    says: 'the first five minutes',
    load: async () => (await import('./topics/getting-started.ts')).gettingStarted,
  },
  adding: {
    says: 'everything that plug add understands',
    load: async () => (await import('./topics/adding.ts')).adding,
  },
  names: {
    says: 'how servers, tools and accounts are called',
    load: async () => (await import('./topics/names.ts')).names,
  },
  approvals: {
    says: 'what asks before it runs, and how to answer',
    load: async () => (await import('./topics/approvals.ts')).approvals,
  },
  grants: {
    says: 'letting a tool run without asking',
    load: async () => (await import('./topics/grants.ts')).grants,
  },
  rules: {
    says: 'rules over calls and data, and the defaults',
    load: async () => (await import('./topics/rules.ts')).rules,
  },
  secrets: {
    says: 'keys, the vault, and signing in',
    load: async () => (await import('./topics/secrets.ts')).secrets,
  },
  gateway: {
    says: 'one entry for every MCP host',
    load: async () => (await import('./topics/gateway.ts')).gateway,
  },
  chat: {
    says: 'talking to a model that uses your servers',
    load: async () => (await import('./topics/chat.ts')).chat,
  },
  documents: {
    says: 'prompts in files, answered without questions',
    load: async () => (await import('./topics/documents.ts')).documents,
  },
  'config-files': {
    says: 'which files are read, and in which order',
    load: async () => (await import('./topics/config-files.ts')).configFiles,
  },
  environment: {
    says: 'the variables that count',
    load: async () => (await import('./topics/environment.ts')).environment,
  },
  'exit-codes': {
    says: 'what a script can branch on',
    load: async () => (await import('./topics/exit-codes.ts')).exitCodesTopic,
  },
  troubleshooting: {
    says: 'from what you see to what to do',
    load: async () => (await import('./topics/troubleshooting.ts')).troubleshooting,
  },
  completion: {
    says: 'the Tab key in bash, zsh and fish',
    load: async () => (await import('./topics/completion.ts')).completion,
  },
};
