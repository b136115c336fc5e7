import { PlugError } from '../base/errors.ts';
import { limits } from '../base/limits.ts';

/** Program and arguments. Never a shell's text. */
export type Argv = readonly [program: string, ...args: string[]];

/** Answers the output of a password manager, bounded in time and size. A failure never repeats it. */
export type RunCommand = (argv: Argv, options: { readonly signal?: AbortSignal }) => Promise<string>;

/** Only password managers, by name, with words that read: a definition must not run or delete anything. */
export function readCommand(line: string): Argv {
  const [program, ...args] = splitWords(line);
  if (program === undefined) throw refused('The command of a secret is empty.');
  const reads = Object.hasOwn(READERS, program) ? READERS[program] : undefined;
  if (!reads) {
    throw refused(`“${program.slice(0, 80)}” is not among the programs that a secret may come from.`);
  }
  const words = args.join(' ');
  if (!reads.some((read) => words === read || words.startsWith(`${read} `))) {
    const allowed = reads.map((read) => `${program} ${read}`).join(' or ');
    throw refused(`“${program}” may be used only to read a secret: ${allowed}.`);
  }
  return [program, ...args];
}

const READERS: Readonly<Record<string, readonly string[] | undefined>> = {
  op: ['read', 'item get'],
  pass: ['show'],
  gopass: ['show', 'cat'],
  bw: ['get'],
  security: ['find-generic-password', 'find-internet-password'],
  'secret-tool': ['lookup'],
};

/** Quotes and backslashes as in a shell; nothing is expanded. */
function splitWords(line: string): readonly string[] {
  if (line.length > limits.globCharsMax * 8 || line.includes('\0')) throw refused('The command is too long.');
  const words: string[] = [];
  let rest = line.trim();
  while (rest !== '') {
    const [whole = ''] = WORD.exec(rest) ?? [];
    if (whole === '') throw refused('A quote in the command is never closed.');
    words.push(unquote(whole));
    rest = rest.slice(whole.length);
    if (rest !== '' && !/^\s/.test(rest)) throw refused('A quote in the command is never closed.');
    rest = rest.trimStart();
  }
  return words;
}

const WORD = /^(?:'[^']*'|"(?:[^"\\]|\\.)*"|\\.|[^\s'"\\])+/;

function unquote(word: string): string {
  return word.replaceAll(/'([^']*)'|"((?:[^"\\]|\\.)*)"|\\(.)/g, (_whole, single, double, escaped) => {
    // The pattern has three groups, of which one took part.
    const [plain, quoted, char] = [single, double, escaped] as (string | undefined)[];
    return plain ?? quoted?.replaceAll(/\\(["\\$`])/g, '$1') ?? char ?? '';
  });
}

function refused(message: string): PlugError {
  return new PlugError('bad_config', message, {
    owner: 'you',
    remedy: `Use ${Object.keys(READERS).join(', ')}, or put the secret into the vault.`,
  });
}
