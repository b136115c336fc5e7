import type { Argument, Option } from 'commander';
import { clients } from '../../servers/clients/clients.ts';
import { settingKeys, settingValues } from '../config/settings.ts';
import { topics } from '../help/topics.ts';
import type { Candidate } from './candidate.ts';

/** What a word of the command line stands for. */
export interface Kind {
  readonly kind: KindName;
  /** Several, with commas between them. */
  readonly list?: boolean;
  /** The values, where the grammar itself names them. */
  readonly choices?: readonly string[];
  /** A file will do as well. */
  readonly files?: boolean;
}

type KindName =
  | 'anything'
  | 'account'
  | 'approval'
  | 'argument'
  | 'choice'
  | 'client'
  | 'files'
  | 'grant'
  | 'help'
  | 'host'
  | 'model'
  | 'profile'
  | 'prompt'
  | 'result'
  | 'secret'
  | 'server'
  | 'setting'
  | 'setting-value'
  | 'tool'
  | 'uri';

const ANYTHING: Kind = { kind: 'anything' };

export function kindOfOption({ long = '', argChoices }: Option): Kind {
  if (argChoices) return { kind: 'choice', choices: argChoices };
  return OPTIONS[long ?? ''] ?? ANYTHING;
}

/** By the words that lead to the command, and by the argument's own name. */
export function kindOfArgument(path: string, argument: Argument): Kind {
  if (argument.argChoices) return { kind: 'choice', choices: argument.argChoices };
  const name = argument.name();
  return ARGUMENTS[`${path} ${name}`] ?? ARGUMENTS[name] ?? ANYTHING;
}

/** Values that need no hub; undefined where only a hub knows. */
export function staticValues(
  { kind, choices }: Kind,
  operands: readonly string[],
): readonly Candidate[] | undefined {
  switch (kind) {
    case 'choice':
      return (choices ?? []).map((value) => ({ value }));
    case 'client':
      return clients.map(({ name, title }) => ({ value: name, description: title }));
    case 'setting':
      return settingKeys().map(({ key, says }) => ({ value: key, description: says }));
    case 'setting-value':
      return settingValues(operands[0] ?? '').map((value) => ({ value }));
    case 'help':
      return Object.entries(topics).map(([value, { says }]) => ({ value, description: says }));
    case 'anything':
    case 'files':
      return [];
    case 'account':
    case 'approval':
    case 'argument':
    case 'grant':
    case 'host':
    case 'model':
    case 'profile':
    case 'prompt':
    case 'result':
    case 'secret':
    case 'server':
    case 'tool':
    case 'uri':
    default:
      return undefined;
  }
}

const FILES: Kind = { kind: 'files' };
const MODES = ['auto', 'all', 'servers', 'search', 'code'];

const OPTIONS: Readonly<Record<string, Kind>> = {
  '--server': { kind: 'server' },
  '--servers': { kind: 'server', list: true },
  '--profile': { kind: 'profile' },
  '--account': { kind: 'account' },
  '--tool': { kind: 'tool' },
  '--allow': { kind: 'tool', list: true },
  '--deny': { kind: 'tool', list: true },
  '--model': { kind: 'model' },
  '--mode': { kind: 'choice', choices: MODES },
  '--transport': { kind: 'choice', choices: ['http', 'sse', 'ws'] },
  '--to': { kind: 'client' },
  '--registry': { kind: 'choice', choices: ['official', 'smithery', 'both'], list: true },
  '--cwd': FILES,
  '--output': FILES,
  '--export': FILES,
};

const ARGUMENTS: Readonly<Record<string, Kind>> = {
  server: { kind: 'server' },
  'server/tool': { kind: 'tool' },
  client: { kind: 'client' },
  file: FILES,
  account: { kind: 'account' },
  uri: { kind: 'uri' },
  prompt: { kind: 'prompt' },
  'add anything': FILES,
  'add more': FILES,
  'call key=value': { kind: 'argument' },
  'grants revoke id': { kind: 'grant' },
  'host revoke name': { kind: 'host' },
  'read-only server': { kind: 'server', choices: ['on', 'off'] },
  'read-only on|off': { kind: 'choice', choices: ['on', 'off'] },
  'results id': { kind: 'result' },
  'approvals id': { kind: 'approval' },
  'approve id': { kind: 'approval' },
  'deny id': { kind: 'approval' },
  'profile show name': { kind: 'profile' },
  'profile save name': { kind: 'profile' },
  'profile remove name': { kind: 'profile' },
  'secrets set name': { kind: 'secret' },
  'secrets rm name': { kind: 'secret' },
  'model use name': { kind: 'model' },
  'model remove name': { kind: 'model' },
  'model test name': { kind: 'model' },
  'config get key': { kind: 'setting' },
  'config set key': { kind: 'setting' },
  'config set value': { kind: 'setting-value' },
  'rules default place': { kind: 'setting' },
  'rules default effect': { kind: 'choice', choices: ['allow', 'ask', 'deny'] },
  'help words': { kind: 'help' },
};
