import type { Grammar } from './words.ts';

/** A part of the grammar: the commands it has, and what adds them. */
interface Part {
  readonly words: readonly string[];
  readonly load: () => Promise<(grammar: Grammar) => void>;
}

/** In the order of `plug help`. A command that is typed needs only its own part. */
const PARTS: readonly Part[] = [
  {
    words: [
      'add',
      'list',
      'ls',
      'enable',
      'disable',
      'read-only',
      'remove',
      'rm',
      'restart',
      'stop',
      'profile',
    ],
    load: async () => (await import('./servers.ts')).addServerCommands,
  },
  {
    words: ['search', 'parse', 'import', 'connect', 'disconnect', 'export'],
    load: async () => (await import('./adding.ts')).addAddingCommands,
  },
  {
    words: ['tools', 'call', 'resources', 'prompts'],
    load: async () => (await import('./tools.ts')).addToolCommands,
  },
  { words: ['chat', 'run', 'model'], load: async () => (await import('./chat.ts')).addChatCommands },
  {
    words: ['trust', 'untrust', 'grants', 'approvals', 'approve', 'deny', 'rules'],
    load: async () => (await import('./deciding.ts')).addDecidingCommands,
  },
  { words: ['auth', 'secrets'], load: async () => (await import('./accounts.ts')).addAccountCommands },
  { words: ['audit', 'results'], load: async () => (await import('./records.ts')).addRecordCommands },
  {
    words: ['doctor', 'backup', 'restore', 'types'],
    load: async () => (await import('./upkeep.ts')).addUpkeepCommands,
  },
  { words: ['gateway', 'host'], load: async () => (await import('./gateway.ts')).addGatewayCommands },
  {
    words: ['open', 'status', 'wait', 'logs', 'events', 'hub'],
    load: async () => (await import('./hub.ts')).addHubCommands,
  },
  { words: ['config', 'completion'], load: async () => (await import('./help.ts')).addHelpCommands },
];

/**
 * What this command line needs of the grammar. Help, completion and a word that nobody knows need
 * the whole of it.
 */
export async function addNeeded(grammar: Grammar): Promise<'whole' | 'part'> {
  const { argv } = grammar;
  const word = argv.find((each) => !each.startsWith('-'));
  const wantsHelp = argv.some((each) => HELP.has(each));
  const part = wantsHelp ? undefined : PARTS.find(({ words }) => words.includes(word ?? ''));
  // Loaded at once, added in their order.
  for (const add of await Promise.all((part ? [part] : PARTS).map(({ load }) => load()))) add(grammar);
  return part ? 'part' : 'whole';
}

const HELP: ReadonlySet<string> = new Set(['help', '-h', '--help']);
