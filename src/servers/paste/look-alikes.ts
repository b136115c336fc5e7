import { isObject } from '../../base/json.ts';
import { serversInManifest } from './manifests.ts';

type Root = Readonly<Record<string, unknown>>;

const has = (root: Root, ...keys: readonly string[]): boolean =>
  keys.every((key) => Object.hasOwn(root, key));

const LOOK_ALIKES: readonly { what: string; fits: (root: Root) => boolean; advice: string }[] = [
  {
    what: 'an OpenAPI description',
    fits: (root) => hasAny(root, 'openapi swagger') && hasAny(root, 'paths info servers'),
    advice: 'It describes a web API. Look for an MCP server that wraps this API, or for its /mcp address.',
  },
  {
    what: 'a package.json',
    fits: (root) =>
      has(root, 'name') && hasAny(root, 'dependencies devDependencies scripts') && !holdsServers(root),
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
      Object.values(root['services']).some((service) => isObject(service) && hasAny(service, 'image build')),
    advice: 'Start it, and paste the address of its MCP endpoint; or paste the “docker run” command.',
  },
  {
    what: 'a GitHub Actions workflow',
    fits: (root) => isObject(root['jobs']) && hasAny(root, 'on true name'),
    advice: 'Paste the command or the config of the server that it uses.',
  },
  {
    what: 'a Kubernetes manifest',
    fits: (root) =>
      has(root, 'apiVersion', 'kind', 'metadata') &&
      !holdsServers(root) &&
      serversInManifest(root).length === 0,
    advice: 'Paste the address that the service has, such as https://host/mcp.',
  },
  {
    what: 'an ESLint configuration',
    fits: (root) => isObject(root['rules']) && hasAny(root, 'extends plugins env'),
    advice: 'Paste the part of the README that shows “mcpServers” or a command.',
  },
  {
    what: 'a JSON-RPC message',
    fits: (root) => root['jsonrpc'] === '2.0',
    advice: 'This is MCP traffic, not a config. Paste the server’s URL or command.',
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

function hasAny(root: Root, keys: string): boolean {
  return keys.split(' ').some((key) => Object.hasOwn(root, key));
}

export function describeLookAlike(value: unknown): string | undefined {
  if (!isObject(value)) return undefined;
  const found = LOOK_ALIKES.find(({ fits }) => fits(value));
  return found && `This is ${found.what}, not a server. ${found.advice}`;
}

export function describeLookAlikeText(text: string): string | undefined {
  const start = text.slice(0, 20_000);
  return TEXTS.find(([pattern]) => pattern.test(start))?.[1];
}

/** Known texts that hold no server. */
const TEXTS: readonly (readonly [RegExp, string])[] = [
  [
    /^\s*(?:\$ )?(?:npm|pnpm|yarn|bun) (?:i|install|add|ci|link)\b/m,
    'This installs a package; it starts no server. Paste the command that starts it, such as “npx -y NAME”.',
  ],
  [
    /^\s*(?:\$ )?(?:pip3?|uv pip|pipx|uv tool) install\b/m,
    'This installs a package; it starts no server. Paste the command that starts it, such as “uvx NAME”.',
  ],
  [
    /^\s*(?:\$ )?(?:brew|apt|apt-get|cargo|go|winget|choco) (?:install|get)\b/m,
    'This installs a program; it starts no server. Paste the command that starts it.',
  ],
  [
    /^\s*(?:\$ )?docker run\b[^\n]*\s-[a-z]*d/m,
    'This container runs in the background (-d). Paste the address of its MCP endpoint, or its “docker run -i” command.',
  ],
  [
    /^\s*(?:\$ )?docker (?:build|pull|compose|ps|push)\b/m,
    'This Docker command starts no server. Paste the “docker run -i” command.',
  ],
  [
    /^\s*(?:\$ )?(?:curl|wget)\s/m,
    'This fetches an address; it is no server. Paste the address of the MCP endpoint itself.',
  ],
  [
    /^\s*(?:FROM \S+|# syntax=docker)/m,
    'This is a Dockerfile, not a server. Paste the “docker run -i” command of its image.',
  ],
  [
    /^\s*(?:\$ )?export \w*(?:KEY|TOKEN|SECRET|PASSWORD)\w*=/m,
    'This sets a key; it is no server. Paste the server first, and it will ask for the key.',
  ],
  [
    /^\s*(?:\$ )?(?:cd|ls|mkdir|make|npm run|npm start|export|sudo)\b/m,
    'This is a shell command that starts no MCP server. Paste the command or the config that the README shows for MCP clients.',
  ],
  [
    /^-----BEGIN [A-Z ]*PRIVATE KEY-----/m,
    'This is a private key, not a server. Keep it to yourself; paste the server first, and it will ask for the key.',
  ],
  [
    /^(?:sk|ghp|gho|xox[bp]|pk|AKIA|glpat)[-_A-Za-z0-9]{16,}\s*$/m,
    'This looks like a secret, not a server. Paste the server first, and it will ask for the key.',
  ],
];

function holdsServers(root: Root): boolean {
  return (
    hasAny(root, 'mcpServers context_servers mcp_servers mcp amp.mcpServers') ||
    JSON.stringify(root).slice(0, 100_000).includes('"mcpServers"')
  );
}
