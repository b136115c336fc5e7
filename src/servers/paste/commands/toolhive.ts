import { splitPair, transportOfUrl } from '../entry.ts';
import { transportOf } from '../aliases.ts';
import { type CommandReading, refReading, type Words } from './reading.ts';
import { imageDraft, isImage, packageDraft } from './run-image.ts';

/** `thv run IMAGE`, `thv run uvx://package`, `thv run https://…` and `thv run name-in-its-registry`. */
export function readToolHive(words: Words): CommandReading | undefined {
  if (words[0] !== 'thv' || words[1] !== 'run') return undefined;
  const dashes = words.indexOf('--');
  const said = readFlags(words.slice(2, dashes < 0 ? undefined : dashes));
  const { target, name, env, asked, options, transport } = said;
  if (target === undefined) return undefined;
  const run = { name, env: Object.fromEntries(env), asked, args: dashes < 0 ? [] : words.slice(dashes + 1) };
  if (/^https?:\/\//i.test(target)) {
    const kind = transportOf(transport);
    const remote = kind === undefined || kind === 'stdio' ? transportOfUrl(target) : kind;
    return reading({ name, transport: remote, url: target, extra: {} });
  }
  const draft =
    packageDraft(target, run) ??
    (isImage(target) ? imageDraft({ image: target, options, ...run }) : undefined);
  return draft ? reading(draft) : refReading({ kind: 'toolhive', id: target }, FORMAT);
}

const FORMAT = 'thv run';

function reading(draft: CommandReading['drafts'][number]): CommandReading {
  return { drafts: [draft], rank: 'config', format: FORMAT };
}

interface Said {
  target?: string;
  name: string | null;
  transport?: string;
  readonly env: [string, string][];
  readonly asked: string[];
  /** Volumes, which docker takes under the same name. */
  readonly options: string[];
}

const SWITCHES =
  /^(?:-f|--foreground|--debug|--isolate-network|--print-resolved-overlays|--trust-proxy-headers)$/;

function readFlags(words: Words): Said {
  const said: Said = { name: null, env: [], asked: [], options: [] };
  for (let index = 0; index < words.length; index += 1) {
    const word = words[index] ?? '';
    if (!word.startsWith('-')) {
      said.target ??= word;
      continue;
    }
    if (SWITCHES.test(word)) continue;
    const inline = word.startsWith('--') && word.includes('=');
    const [flag, value] = inline ? splitPair(word, '=') : [word, words[(index += 1)] ?? ''];
    take(said, flag, value);
  }
  return said;
}

function take(said: Said, flag: string, value: string): void {
  if (flag === '--name') said.name = value;
  else if (flag === '--transport') said.transport = value;
  else if ((flag === '--env' || flag === '-e') && value.includes('=')) said.env.push(splitPair(value, '='));
  else if (flag === '--volume' || flag === '-v') said.options.push('-v', value);
  else if (flag === '--secret') {
    // `github,target=GITHUB_TOKEN`: the value is in ToolHive's own store.
    const target = /(?:^|,)target=([A-Za-z_]\w*)/.exec(value)?.[1];
    if (target !== undefined) said.asked.push(target);
  }
}
