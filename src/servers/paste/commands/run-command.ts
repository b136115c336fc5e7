import type { Draft } from '../view.ts';

/** What must follow for the line to start a server rather than be prose. */
const RUNNERS: Readonly<Record<string, (args: readonly string[]) => boolean>> = {
  npx: runsPackage,
  bunx: runsPackage,
  pnpx: runsPackage,
  uvx: runsPackage,
  dnx: runsPackage,
  pnpm: (args) => args[0] === 'dlx' && args.length > 1,
  yarn: (args) => args[0] === 'dlx' && args.length > 1,
  bun: (args) => args[0] === 'x' || (args[0] === 'run' && SCRIPT.test(args[1] ?? '')),
  npm: (args) => args[0] === 'exec' && args.length > 1,
  uv: (args) =>
    /^(?:run|tool)$/.test(args.find((arg) => !arg.startsWith('-') && !/[/\\]/.test(arg)) ?? '') &&
    (args[0] !== 'tool' || args[1] === 'run'),
  pipx: runsNext,
  docker: (args) => runsGateway(args) || (runsNext(args) && !args.some(isDetached)),
  podman: (args) => runsNext(args) && !args.some(isDetached),
  node: (args) => args.some((arg) => SCRIPT.test(arg)),
  tsx: (args) => args.some((arg) => SCRIPT.test(arg)),
  deno: runsNext,
  python: isPython,
  python3: isPython,
  py: isPython,
  java: (args) => args.includes('-jar'),
  dotnet: (args) => args[0] === 'run' || (args[0] ?? '').endsWith('.dll'),
  go: runsNext,
  wsl: (args) => args.length > 1,
  cmd: (args) => /^\/c$/i.test(args[0] ?? '') && args.length > 1,
};

const SCRIPT = /\.[cm]?[jt]s$/;

function runsPackage(args: readonly string[]): boolean {
  return args.some(isPackage);
}

function runsNext(args: readonly string[]): boolean {
  return args[0] === 'run' && args.length > 1;
}

/** `docker mcp gateway run` speaks for all servers of Docker's catalog. */
function runsGateway([first, second, third]: readonly string[]): boolean {
  return first === 'mcp' && second === 'gateway' && third === 'run';
}

function isDetached(arg: string): boolean {
  return arg === '--detach' || /^-[a-z]*d[a-z]*$/.test(arg);
}

function isPackage(arg: string): boolean {
  return (
    /^(?:@[\w.-]+\/)?[\w<[{$][\w.@/:+=~<>[\]{}-]*$/.test(arg) &&
    !/^(?:is|and|or|the|to|a|for|with|will|can|must|command|package)$/i.test(arg)
  );
}

function isPython(args: readonly string[]): boolean {
  // Creating an environment or asking for the version starts no server.
  if (args[0] === '-m')
    return args.length > 1 && !/^(?:venv|pip|ensurepip|http\.server|pytest|build|twine)$/.test(args[1] ?? '');
  return args.some((arg) => arg.endsWith('.py')) && !/^setup\.py$/.test(args[0] ?? '');
}

export function readRunCommand(
  words: readonly string[],
  env: Readonly<Record<string, string>>,
): Draft | undefined {
  const [command, ...args] = words;
  if (command === undefined || !isRunner(command, args)) return undefined;
  const setup = setupAt(command, args);
  // What a package's setup would write into another client's file is what is asked for here.
  if (setup >= 0)
    return { ...localDraft(command, args.slice(0, setup), env), notes: [setupNote(args[setup] ?? '')] };
  const draft = localDraft(command, args, env);
  if (runsGateway(args)) return { ...draft, name: 'docker-mcp' };
  const aside = FETCHERS.test(programOf(command)) ? args.filter((arg) => ASIDE.test(arg)) : [];
  if (aside.length === 0) return draft;
  const rest = args.filter((arg) => !ASIDE.test(arg));
  return { ...draft, args: rest, notes: [asideNote(aside[0] ?? '')] };
}

/** No server is started: another tool, the setup of one, or a container in the background. */
export function isOtherTool([command = '', ...args]: readonly string[]): boolean {
  if (/^(?:docker|podman)$/.test(programOf(command))) return args[0] === 'run' && args.some(isDetached);
  const pack = packageOf({ command, args });
  if (pack === undefined || !FETCHERS.test(programOf(command)) || args.some((arg) => /mcp/i.test(arg)))
    return false;
  return setupAt(command, args) >= 0 || OTHER_TOOLS.test(pack);
}

const FETCHERS = /^(?:npx|bunx|pnpx|uvx)$/;

/** What READMEs run beside their server; with “mcp” in the line it may be one. */
const OTHER_TOOLS =
  /^(?:create-[\w-]+|tsc|eslint|prettier|vitest|jest|cypress|playwright|skills|n|clear-npx-cache|patch-package|plop|degit|rimraf|husky|rulesync|@anthropic-ai\/(?:dxt|mcpb))$/;

/** With these a program prints something or signs in, and ends. */
const ASIDE = /^--?(?:help|version|login|logout|list-[a-z-]+)$|^-[hV]$/;

function asideNote(flag: string): string {
  return `“${flag}” is left out: with it the program ends at once. The server itself is added.`;
}

/** Where `setup` stands right behind the package; such a command asks its questions in a terminal. */
function setupAt(command: string, args: readonly string[]): number {
  if (!FETCHERS.test(programOf(command))) return -1;
  const pack = args.findIndex((arg) => !arg.startsWith('-'));
  return pack >= 0 && SETUP.test(args[pack + 1] ?? '') ? pack + 1 : -1;
}

const SETUP = /^(?:setup|init|install|uninstall|configure|login|logout|auth|wizard|onboard)$/;

function setupNote(word: string): string {
  return `“${word}” is left out: it sets up other clients in a terminal. The server itself is added.`;
}

export function localDraft(
  command: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Draft {
  const given = Object.keys(env).length > 0 ? { env } : {};
  return { name: null, transport: 'stdio', command, args, ...given, extra: {} };
}

export function isRunner(command: string, args: readonly string[]): boolean {
  const program = programOf(command);
  return Object.hasOwn(RUNNERS, program) && RUNNERS[program]?.(args) === true;
}

export function programOf(command: string): string {
  return (command.split(/[/\\]/).at(-1) ?? '').replace(/\.(?:exe|cmd|bat)$/i, '').toLowerCase();
}

export function packageOf({ command, args = [] }: Pick<Draft, 'command' | 'args'>): string | undefined {
  if (command === undefined) return undefined;
  const program = programOf(command);
  const module = args[0] === '-m' && program.startsWith('py') ? args[1] : undefined;
  const found = module ?? (FETCHERS.test(program) ? args.find((arg) => !arg.startsWith('-')) : undefined);
  return found
    ?.replace(/(?<=.)@[^/]*$/, '')
    .replaceAll('_', '-')
    .toLowerCase();
}
