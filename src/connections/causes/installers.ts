import type { Remedy } from '../../base/remedy.ts';

/** How a person gets a command that servers often ask for. */
export function howToInstall(command: string): Extract<Remedy, { do: 'install' }> | undefined {
  const [, program, url] = INSTALLERS.find(([commands]) => commands.split(' ').includes(command)) ?? [];
  return program && url ? { do: 'install', program, url } : undefined;
}

const INSTALLERS: readonly (readonly [commands: string, program: string, url: string])[] = [
  ['node npx npm', 'Node.js', 'https://nodejs.org'],
  ['uv uvx', 'uv', 'https://docs.astral.sh/uv/'],
  ['python python3', 'Python', 'https://www.python.org/downloads/'],
  ['pipx', 'pipx', 'https://pipx.pypa.io'],
  ['docker', 'Docker', 'https://docs.docker.com/get-docker/'],
  ['podman', 'Podman', 'https://podman.io'],
  ['bun bunx', 'Bun', 'https://bun.sh'],
  ['deno', 'Deno', 'https://deno.com'],
  ['dnx dotnet', 'the .NET SDK', 'https://dotnet.microsoft.com'],
  ['java', 'a Java runtime', 'https://adoptium.net'],
];
