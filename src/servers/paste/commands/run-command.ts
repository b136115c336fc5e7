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
  podman: (args) => runsNext(args) && !args.includes('-d'),
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
  const draft = localDraft(command, args, env);
  return runsGateway(args) ? { ...draft, name: 'docker-mcp' } : draft;
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
  const found =
    module ??
    (/^(?:npx|bunx|pnpx|uvx)$/.test(program) ? args.find((arg) => !arg.startsWith('-')) : undefined);
  return found
    ?.replace(/(?<=.)@[^/]*$/, '')
    .replaceAll('_', '-')
    .toLowerCase();
}
