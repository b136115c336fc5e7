import { isObject } from '../../base/json.ts';

interface LookAlike {
  readonly what: string;
  readonly fits: (root: Readonly<Record<string, unknown>>) => boolean;
  readonly advice: string;
}

const has = (root: Readonly<Record<string, unknown>>, ...keys: readonly string[]): boolean =>
  keys.every((key) => Object.hasOwn(root, key));

const LOOK_ALIKES: readonly LookAlike[] = [
  {
    what: 'an OpenAPI description',
    fits: (root) =>
      (has(root, 'openapi') || has(root, 'swagger')) &&
      (has(root, 'paths') || has(root, 'info') || has(root, 'servers')),
    advice: 'It describes a web API. Look for an MCP server that wraps this API, or for its /mcp address.',
  },
  {
    what: 'a package.json',
    fits: (root) =>
      has(root, 'name') &&
      (has(root, 'dependencies') || has(root, 'devDependencies') || has(root, 'scripts')) &&
      !holdsServers(root),
    advice: 'If the package is an MCP server, paste “npx -y NAME” with its name.',
  },
  {
    what: 'a tsconfig.json',
    fits: (root) => isObject(root['compilerOptions']),
    advice: 'It configures TypeScript. Paste the part of the README that shows “mcpServers” or a command.',
  },
  {
    what: 'a docker-compose file',
    fits: (root) =>
      isObject(root['services']) &&
      !holdsServers(root) &&
      Object.values(root['services']).some(
        (service) => isObject(service) && (has(service, 'image') || has(service, 'build')),
      ),
    advice: 'Start it, and paste the address of its MCP endpoint; or paste the “docker run” command.',
  },
  {
    what: 'a GitHub Actions workflow',
    fits: (root) => isObject(root['jobs']) && (has(root, 'on') || has(root, 'true') || has(root, 'name')),
    advice: 'Paste the command or the config of the server that it uses.',
  },
  {
    what: 'a Kubernetes manifest',
    fits: (root) => has(root, 'apiVersion', 'kind') && has(root, 'metadata') && !holdsServers(root),
    advice: 'Paste the address that the service has, such as https://host/mcp.',
  },
  {
    what: 'an ESLint configuration',
    fits: (root) =>
      isObject(root['rules']) && (has(root, 'extends') || has(root, 'plugins') || has(root, 'env')),
    advice: 'Paste the part of the README that shows “mcpServers” or a command.',
  },
  {
    what: 'a JSON-RPC message',
    fits: (root) => root['jsonrpc'] === '2.0',
    advice:
      'It is what a client and a server say to each other. Paste the address or the command of the server.',
  },
  {
    what: 'a JSON schema',
    fits: (root) =>
      has(root, 'properties') && (has(root, '$schema') || root['type'] === 'object') && !holdsServers(root),
    advice: 'It describes the shape of a file. Paste a filled-in config.',
  },
  {
    what: 'a VS Code tasks or launch file',
    fits: (root) =>
      (Array.isArray(root['tasks']) || Array.isArray(root['configurations'])) && has(root, 'version'),
    advice: 'Servers stand in .vscode/mcp.json.',
  },
  {
    what: 'an OAuth client secret file',
    fits: (root) =>
      (isObject(root['installed']) || isObject(root['web'])) &&
      JSON.stringify(root).includes('"client_secret"'),
    advice: 'Keep it private. Paste the server first; it will ask for the key file.',
  },
  {
    what: 'a service account key',
    fits: (root) => root['type'] === 'service_account' && has(root, 'private_key'),
    advice: 'Keep it private. Paste the server first; it will ask for the key file.',
  },
];

export function describeLookAlike(value: unknown): string | undefined {
  if (!isObject(value)) return undefined;
  const found = LOOK_ALIKES.find(({ fits }) => fits(value));
  return found && `This is ${found.what}, not a server. ${found.advice}`;
}

function holdsServers(root: Readonly<Record<string, unknown>>): boolean {
  return (
    ['mcpServers', 'context_servers', 'mcp_servers', 'mcp', 'amp.mcpServers'].some((key) =>
      Object.hasOwn(root, key),
    ) || JSON.stringify(root).slice(0, 100_000).includes('"mcpServers"')
  );
}
