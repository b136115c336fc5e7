import type { Remedy } from '../../base/remedy.ts';
import { exactShellWord } from '../../base/shell-words.ts';
import type { CauseContext, KnownCause } from './known-causes.ts';
import { type Saying, yours } from './saying.ts';

/** What runtimes say of modules that are missing, or were not built for them. */
export const MODULE_SAYINGS: readonly Saying[] = [
  {
    pattern:
      /Could not locate the bindings file|compiled against a different Node|\bNODE_MODULE_VERSION\b|(?:→|The module ').*node_modules\/((?:@[\w.-]+\/)?[\w.-]+)\/\S*\.node\b|ERR_DLOPEN_FAILED|invalid ELF header|No native build was found for/,
    means: ([, name], where) => {
      const what = name === undefined ? 'A native module' : `The native module ${name}`;
      const command = name === undefined ? 'npm rebuild' : `npm rebuild ${name}`;
      return yours('start_failed', `${what} isn't built for this Node.`, inItsFolder(where, command));
    },
  },
  {
    pattern:
      /(?:npm (?:ERR!|error) code EBADENGINE|Unsupported engine|requires Node(?:\.js)?|needs Node(?:\.js)?|Node\.js version)[^\d]*(\d+(?:\.\d+)*)?/i,
    means: ([, version]) => {
      const says = `It needs another version of Node${version === undefined ? '' : `: ${version}`}.`;
      return yours('start_failed', says, 'Install that version, or give its full path as “command”.');
    },
  },
  {
    pattern:
      /module '(node:[\w/]+)' does not provide an export named '(\w+)'|No such built-in module: (node:[\w/]+)/,
    means: ([, module, name, missing]) => {
      const lacks = missing === undefined ? `'s ${module} has no ${name}` : ` has no ${missing}`;
      const says = `It needs a newer Node: this one${lacks}.`;
      return yours('start_failed', says, 'Install a newer Node, or give its full path as “command”.');
    },
  },
  {
    pattern: /Cannot find (?:module|package) '([^']+)'/,
    means: ([, name = ''], where) => {
      if (/^[./]/.test(name)) return absent(name, where);
      const module = packageOf(name);
      const says = `The module “${module}” isn't installed in the folder of the server.`;
      return yours('start_failed', says, inItsFolder(where, `npm install ${module}`));
    },
  },
  {
    pattern: /(?:ModuleNotFoundError|ImportError): No module named '?([\w.]+)/,
    means: ([, name = '']) => {
      const says = `The Python module “${name}” isn't installed for the Python that it runs with.`;
      const line = `pip install ${name.split('.')[0] ?? name}`;
      return yours('start_failed', says, { do: 'run', line });
    },
  },
];

export function absent(name: string, { server }: CauseContext): KnownCause {
  const remedy = { do: 'choose-path', server, path: name } as const;
  return yours('bad_config', `It needs ${name}, which isn't there.`, remedy);
}

/** A package that we fetch is installed again with its install scripts, which build such modules. */
function inItsFolder({ server, packaged = false, folder }: CauseContext, command: string): Remedy {
  if (packaged) return { do: 'install-package', server, scripts: true };
  if (folder === undefined) return { do: 'run', line: command };
  return { do: 'run', line: `${command} --prefix ${exactShellWord(folder) ?? folder}` };
}

/** An import may name a part of a package. */
function packageOf(name: string): string {
  return name
    .split('/')
    .slice(0, name.startsWith('@') ? 2 : 1)
    .join('/');
}
