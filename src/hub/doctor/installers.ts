/** How a person gets a command that servers often ask for, in one step. */
export function howToInstall(command: string): string | undefined {
  return INSTALL[command];
}

const NODE = 'Install Node.js from https://nodejs.org';
const UV = 'Install uv: https://docs.astral.sh/uv/';
const PYTHON = 'Install Python from https://www.python.org/downloads/';
const DOCKER = 'Install Docker: https://docs.docker.com/get-docker/';
const BUN = 'Install Bun from https://bun.sh';
const DOTNET = 'Install the .NET SDK from https://dotnet.microsoft.com';

const INSTALL: Readonly<Record<string, string | undefined>> = {
  node: NODE,
  npx: NODE,
  npm: NODE,
  uv: UV,
  uvx: UV,
  python: PYTHON,
  python3: PYTHON,
  pipx: 'Install pipx: https://pipx.pypa.io',
  docker: DOCKER,
  podman: 'Install Podman: https://podman.io',
  bun: BUN,
  bunx: BUN,
  deno: 'Install Deno from https://deno.com',
  dnx: DOTNET,
  dotnet: DOTNET,
};
