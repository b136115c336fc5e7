import type { Grammar } from './words.ts';

type Part = readonly [words: string, load: () => Promise<(grammar: Grammar) => void>];

/** In the order of `plug help`. A command that is typed needs only its own part. */
const PARTS: readonly Part[] = [
  [
    'add list ls enable disable read-only remove rm restart stop profile',
    async () => (await import('./servers.ts')).addServerCommands,
  ],
  [
    'search parse import connect disconnect export',
    async () => (await import('./adding.ts')).addAddingCommands,
  ],
  ['tools call resources prompts', async () => (await import('./tools.ts')).addToolCommands],
  ['chat run model', async () => (await import('./chat.ts')).addChatCommands],
  [
    'trust untrust grants approvals approve deny rules',
    async () => (await import('./permissions.ts')).addPermissionCommands,
  ],
  ['auth secrets', async () => (await import('./accounts.ts')).addAccountCommands],
  ['audit results', async () => (await import('./upkeep.ts')).addRecordCommands],
  ['doctor backup restore types', async () => (await import('./upkeep.ts')).addUpkeepCommands],
  ['gateway host', async () => (await import('./hub.ts')).addGatewayCommands],
  ['open status wait logs events hub', async () => (await import('./hub.ts')).addHubCommands],
  ['config completion', async () => (await import('./hub.ts')).addHelpCommands],
];

/** Help, completion and unknown words need the whole grammar. */
export async function addNeeded(grammar: Grammar): Promise<'whole' | 'part'> {
  const { argv } = grammar;
  const word = argv.find((each) => !each.startsWith('-')) ?? '';
  const wantsHelp = argv.some((each) => HELP.has(each));
  const part = wantsHelp ? undefined : PARTS.find(([words]) => words.split(' ').includes(word));
  for (const add of await Promise.all((part ? [part] : PARTS).map(([, load]) => load()))) add(grammar);
  return part ? 'part' : 'whole';
}

const HELP: ReadonlySet<string> = new Set(['help', '-h', '--help']);
