import type { Remedy } from '../../base/remedy.ts';

/** How a person gets a command that servers often ask for, in one step. */
export function howToInstall(command: string): Remedy | undefined {
  const found = INSTALL[command];
  return found && { do: 'install', program: found[0], url: found[1] };
}

type Installer = readonly [program: string, url: string];

const NODE: Installer = ['Node.js', 'https://nodejs.org'];
const UV: Installer = ['uv', 'https://docs.astral.sh/uv/'];
const PYTHON: Installer = ['Python', 'https://www.python.org/downloads/'];
const BUN: Installer = ['Bun', 'https://bun.sh'];
const DOTNET: Installer = ['the .NET SDK', 'https://dotnet.microsoft.com'];

const INSTALL: Readonly<Record<string, Installer | undefined>> = {
  node: NODE,
  npx: NODE,
  npm: NODE,
  uv: UV,
  uvx: UV,
  python: PYTHON,
  python3: PYTHON,
  pipx: ['pipx', 'https://pipx.pypa.io'],
  docker: ['Docker', 'https://docs.docker.com/get-docker/'],
  podman: ['Podman', 'https://podman.io'],
  bun: BUN,
  bunx: BUN,
  deno: ['Deno', 'https://deno.com'],
  dnx: DOTNET,
  dotnet: DOTNET,
};
