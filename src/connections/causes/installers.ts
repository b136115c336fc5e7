import type { Remedy } from '../../base/remedy.ts';

/** How a person gets a command that servers often ask for, with the line that does it where there is one. */
export function howToInstall(
  command: string,
  platform: NodeJS.Platform = process.platform,
): Extract<Remedy, { do: 'install' }> | undefined {
  const found = INSTALLERS.find(({ commands }) => commands.split(' ').includes(command));
  if (!found) return undefined;
  const { program, url } = found;
  const line = found[LINES.get(platform) ?? 'linux'];
  return { do: 'install', program, url, ...(line === undefined ? {} : { line }) };
}

const LINES: ReadonlyMap<NodeJS.Platform, 'mac' | 'windows'> = new Map([
  ['darwin', 'mac'],
  ['win32', 'windows'],
]);

interface Installer {
  readonly commands: string;
  readonly program: string;
  readonly url: string;
  /** As its makers give it; on Linux only where it works on every distribution. */
  readonly linux?: string;
  readonly mac?: string;
  readonly windows?: string;
}

const INSTALLERS: readonly Installer[] = [
  {
    commands: 'node npx npm',
    program: 'Node.js',
    url: 'https://nodejs.org',
    mac: 'brew install node',
    windows: 'winget install --id OpenJS.NodeJS.LTS -e',
  },
  {
    commands: 'uv uvx',
    program: 'uv',
    url: 'https://docs.astral.sh/uv/',
    linux: 'curl -LsSf https://astral.sh/uv/install.sh | sh',
    mac: 'curl -LsSf https://astral.sh/uv/install.sh | sh',
    windows: 'winget install --id astral-sh.uv -e',
  },
  {
    commands: 'python python3',
    program: 'Python',
    url: 'https://www.python.org/downloads/',
    mac: 'brew install python',
    windows: 'winget install --id Python.Python.3.13 -e',
  },
  {
    commands: 'pipx',
    program: 'pipx',
    url: 'https://pipx.pypa.io',
    linux: 'python3 -m pip install --user pipx',
    mac: 'brew install pipx',
    windows: 'py -m pip install --user pipx',
  },
  {
    commands: 'docker',
    program: 'Docker',
    url: 'https://docs.docker.com/get-docker/',
    mac: 'brew install --cask docker',
    windows: 'winget install --id Docker.DockerDesktop -e',
  },
  { commands: 'podman', program: 'Podman', url: 'https://podman.io', mac: 'brew install podman' },
  {
    commands: 'bun bunx',
    program: 'Bun',
    url: 'https://bun.sh',
    linux: 'curl -fsSL https://bun.sh/install | bash',
    mac: 'curl -fsSL https://bun.sh/install | bash',
    windows: 'winget install --id Oven-sh.Bun -e',
  },
  {
    commands: 'deno',
    program: 'Deno',
    url: 'https://deno.com',
    linux: 'curl -fsSL https://deno.land/install.sh | sh',
    mac: 'curl -fsSL https://deno.land/install.sh | sh',
    windows: 'winget install --id DenoLand.Deno -e',
  },
  {
    commands: 'dnx dotnet',
    program: 'the .NET SDK',
    url: 'https://dotnet.microsoft.com',
    mac: 'brew install dotnet',
  },
  { commands: 'java', program: 'a Java runtime', url: 'https://adoptium.net', mac: 'brew install temurin' },
];
