import { isObject } from '../../../base/json.ts';
import { blanksInText } from '../../entry/blanks.ts';
import { transportOfUrl } from '../entry.ts';
import { readLenientJson } from '../lenient-json.ts';
import { splitWords } from '../words.ts';
import type { Budget } from '../view.ts';
import { isSwitch, readAddCommand } from './add-command.ts';
import { type CommandReading, noServer, refReading, type Words } from './reading.ts';
import { programOf } from './run-command.ts';

/** `npx add-mcp X`, `npx mcp-get install X`, `npx @smithery/cli install X`; their other verbs add nothing. */
export function readInstaller(words: Words, budget: Budget): CommandReading | undefined {
  const at = words.findIndex((word, index) => index > 0 && index < 4 && INSTALLER.test(word));
  const runs = at > 0 && /^(?:npx|bunx|pnpx|pnpm|yarn|npm)$/.test(programOf(words[0] ?? ''));
  const program = /^(?:smithery|add-mcp|install-mcp)$/.test(words[0] ?? '') ? 0 : runs ? at : -1;
  if (program < 0) return undefined;
  const behind = words.slice(program + 1);
  if (/smithery/.test(words[program] ?? '')) {
    const [verb, ...more] = behind[0] === 'mcp' ? behind.slice(1) : behind;
    // What it runs is a server as it stands: its key and settings are arguments.
    if (verb === 'run' && program > 0) return undefined;
    const adds = /^(?:install|add|run|connect)$/.test(verb ?? '');
    return adds ? readSmithery(more, budget) : noServer('smithery');
  }
  const [verb, ...more] = behind;
  if (/mcp-get/.test(words[program] ?? ''))
    return verb === 'install' ? readAddMcp(more) : noServer('mcp-get');
  return MANAGES.test(verb ?? '') ? noServer('add-mcp') : readAddMcp(behind);
}

const INSTALLER =
  /^(?:add-mcp|install-mcp|mcp-add|mcp-install|(?:@michaellatman\/)?mcp-get|@smithery\/cli|smithery)(?:@[\w.-]+)?$/;

/** What `add-mcp` does beside adding. */
const MANAGES = /^(?:find|search|list|remove|sync|update|help)$/;

/** The flags are those of `… mcp add`; the target is a URL, a whole command, or an npm package. */
function readAddMcp(words: Words): CommandReading | undefined {
  const dashes = words.indexOf('--');
  const own = withoutClients(words.slice(0, dashes < 0 ? undefined : dashes));
  const at = own.findIndex((word, index) => !word.startsWith('-') && !takesValue(own[index - 1]));
  const target = own[at];
  if (target === undefined) return undefined;
  const flags = own.filter((_, index) => index !== at);
  const more = dashes < 0 ? [] : words.slice(dashes + 1);
  const draft = /^https?:\/\//i.test(target)
    ? readAddCommand([...flags, target])
    : readAddCommand([
        ...flags,
        '--',
        ...(/\s/.test(target) ? splitWords(target) : ['npx', '-y', target]),
        ...more,
      ]);
  return draft && { drafts: [draft], rank: 'config', format: 'add-mcp' };
}

function takesValue(word = ''): boolean {
  return word.startsWith('-') && !word.includes('=') && !isSwitch(word);
}

/** `-a cursor` names a client, not a server. */
function withoutClients(words: Words): Words {
  const names = (word = ''): boolean => /^(?:-a|--agent|-c|--client)$/.test(word);
  return words.filter((word, index) => !names(word) && !names(words[index - 1]));
}

export function readSmithery(words: Words, budget: Budget): CommandReading | undefined {
  const id = words.find((word, index) => !word.startsWith('-') && !words[index - 1]?.startsWith('--'));
  // `<url>` stands in the usage of the program itself.
  if (id === undefined || /^<[^<>]*>$/.test(id)) return noServer('smithery');
  if (/^https?:\/\//.test(id)) {
    const draft = { name: null, transport: transportOfUrl(id), url: id, extra: {} };
    return { drafts: [draft], rank: 'config', format: 'smithery' };
  }
  const given = words.find((_, index) => words[index - 1] === '--config') ?? '';
  const config = readLenientJson(given, 0, { budget })?.value;
  const asked = blanksInText(given).map(({ name }) => name);
  return refReading({ kind: 'smithery', id }, 'smithery', {
    ...(asked.length > 0 ? { asked } : {}),
    extra: isObject(config) ? { config } : {},
  });
}
