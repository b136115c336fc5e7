import { Help, type Command } from 'commander';
import type { EventEmitter } from 'node:events';

/** Examples by command. A test types every line. */
export const examples: Readonly<Record<string, readonly string[]>> = {
  '': [
    'plug add everything -- npx -y @modelcontextprotocol/server-everything stdio',
    'plug tools everything',
    'plug call everything/echo message=hello',
    'plug list --json',
  ],
  add: [
    'plug add notion',
    "plug add 'npx -y @modelcontextprotocol/server-everything stdio'",
    'plug add ./mcp.json --yes',
    'pbpaste | plug add -',
    'plug add everything -- npx -y @modelcontextprotocol/server-everything stdio',
    'plug add files --cwd ~/notes -- npx -y @modelcontextprotocol/server-filesystem .',
    "plug add docs https://example.com/mcp --header 'Authorization: Bearer …'",
  ],
  list: ['plug list', 'plug list --json'],
  enable: ['plug enable github', 'plug enable github linear'],
  disable: ['plug disable github'],
  'read-only': ['plug read-only on', 'plug read-only', 'plug read-only off', 'plug read-only github on'],
  remove: ['plug remove github', 'plug remove github linear --yes'],
  install: ['plug install everything', 'plug install everything --scripts'],
  restart: ['plug restart github', 'plug restart --failed'],
  stop: ['plug stop github', 'plug stop --all'],
  update: ['plug update', 'plug update everything --check', 'plug update everything --yes'],
  profile: ['plug profile list', 'plug profile save triage --servers github,linear --read-only'],
  'profile list': ['plug profile list'],
  'profile show': ['plug profile show triage'],
  'profile save': ["plug profile save triage --servers github --allow 'github/get_*'"],
  'profile remove': ['plug profile remove triage'],
  search: ['plug search postgres', "plug search 'read my calendar' --offline", 'plug search --sync'],
  parse: ['plug parse mcp.json', 'pbpaste | plug parse -', 'plug parse mcp.json --json --show-secrets'],
  import: ['plug import', 'plug import cursor', 'plug import --all', 'plug import vscode --follow --dry-run'],
  setup: ['plug setup', 'plug setup --dry-run', 'plug setup --yes'],
  undo: ['plug undo', 'plug undo --list', 'plug undo --dry-run'],
  connect: [
    'plug connect cursor',
    'plug connect cursor --http --profile triage',
    'plug connect claude-code --scope project --dry-run',
  ],
  disconnect: ['plug disconnect cursor'],
  export: ['plug export github --to cursor', 'plug export github --to deeplink'],
  tools: [
    'plug tools github',
    "plug tools --search 'create issue'",
    'plug tools --audit',
    'plug tools risk notes/lookup read',
    'plug tools disable github/delete_repository',
  ],
  'tools enable': ['plug tools enable github/delete_repository'],
  'tools disable': ['plug tools disable github/delete_repository'],
  'tools approve': ['plug tools approve github/create_issue'],
  'tools risk': ['plug tools risk notes/lookup read', 'plug tools risk notes/lookup auto'],
  'tools confirm': ['plug tools confirm notes/lookup on'],
  'tools learned': ['plug tools learned', 'plug tools learned --clear'],
  call: [
    'plug call everything/echo message=hello',
    'plug call everything/get-sum a=2 b=3',
    'plug call github/create_issue --args @issue.json',
    `echo '{"message":"hi"}' | plug call everything/echo --args -`,
  ],
  resources: ['plug resources', 'plug resources docs', 'plug resources docs file:///readme.md'],
  prompts: ['plug prompts', 'plug prompts everything args-prompt city=Rome'],
  chat: [
    'plug chat',
    'plug chat --servers github,linear',
    'plug chat --model fast --mode search',
    'plug chat --setup',
  ],
  run: ['plug run report.md -o answer.md', 'plug run report.md --servers github --yes-reads'],
  model: ['plug model list'],
  'model list': ['plug model list'],
  'model use': ['plug model use fast'],
  'model remove': ['plug model remove fast'],
  'model test': ['plug model test', 'plug model test fast'],
  trust: ['plug trust', 'plug trust github', 'plug trust github --session --yes'],
  untrust: ['plug untrust github'],
  grants: ['plug grants list', 'plug grants add github/create_issue --until 30d'],
  'grants list': ['plug grants list', 'plug grants list github'],
  'grants add': [
    'plug grants add github/create_issue',
    "plug grants add github/create_issue --args 'repo=acme/*' --until 30d",
    'plug grants add github --session',
  ],
  'grants revoke': ['plug grants revoke grant_4f2a'],
  approvals: ['plug approvals', 'plug approvals appr_4f2a'],
  approve: ['plug approve appr_4f2a', 'plug approve appr_4f2a --remember tool'],
  deny: ["plug deny appr_4f2a --note 'Not on a Friday.'"],
  rules: ['plug rules', 'plug rules check rules.json'],
  'rules check': ['plug rules check', 'plug rules check ./rules.json'],
  'rules default': ['plug rules default call.unknown deny'],
  auth: [
    'plug auth linear',
    'plug auth github --account work',
    'plug auth notion --no-browser',
    'plug auth intern --client-id my-app --client-secret < secret.txt',
  ],
  'auth login': ['plug auth login linear'],
  'auth list': ['plug auth list', 'plug auth list github'],
  'auth logout': ['plug auth logout github --account work'],
  'auth default': ['plug auth default github work'],
  secrets: ['plug secrets list', 'plug secrets set github/GITHUB_TOKEN'],
  'secrets set': [
    'plug secrets set github/GITHUB_TOKEN',
    'plug secrets set github/GITHUB_TOKEN < token.txt',
    'op read op://Private/GitHub/token | plug secrets set github/GITHUB_TOKEN',
  ],
  'secrets list': ['plug secrets list'],
  'secrets rm': ['plug secrets rm github/GITHUB_TOKEN'],
  'secrets rotate': ['plug secrets rotate', 'plug secrets rotate --to keyring'],
  'secrets unlock': ['plug secrets unlock'],
  status: ['plug status', 'plug status github'],
  wait: ['plug wait', 'plug wait github linear --timeout 60'],
  logs: ['plug logs github', 'plug logs github linear -f', 'plug logs -f -n 20'],
  events: ['plug events', 'plug events github -n 20', 'plug events -f --json'],
  audit: [
    'plug audit --since 1d --outcome refused',
    'plug audit --server github --json',
    'plug audit --export calls.csv --format csv',
  ],
  'audit verify': ['plug audit verify', 'plug audit verify --json'],
  'audit on': ['plug audit on github'],
  'audit off': ['plug audit off github'],
  results: [
    'plug results res_4f2a --page 2',
    "plug results res_4f2a --grep 'error|warning'",
    "plug results res_4f2a --path '$..name'",
  ],
  doctor: ['plug doctor', 'plug doctor github --live', 'plug doctor --fix', 'plug doctor --copy'],
  backup: ['plug backup plugboard.json', 'plug backup plugboard.json --secrets'],
  restore: ['plug restore plugboard.json', 'plug restore plugboard.json --replace --yes'],
  types: ['plug types -o tools.d.ts', 'plug types github'],
  host: ['plug host list', 'plug host add cursor', 'plug host revoke cursor'],
  'host list': ['plug host list'],
  'host add': ['plug host add cursor', 'plug host add agent --profile triage --read-only'],
  'host revoke': ['plug host revoke cursor'],
  gateway: ['plug gateway', 'plug gateway --profile triage', 'plug gateway --server github'],
  open: ['plug open', 'plug open --print'],
  hub: ['plug hub status', 'plug hub restart'],
  'hub start': [
    'plug hub start',
    'plug hub start --foreground --port 7411',
    'plug hub start --team --port 7411',
  ],
  'hub stop': ['plug hub stop'],
  'hub restart': ['plug hub restart'],
  'hub status': ['plug hub status', 'plug hub status --json'],
  config: ['plug config', 'plug config get call.write', 'plug config set call.write deny'],
  'config list': ['plug config list', 'plug config list --json'],
  'config path': ['plug config path', 'plug config path mcp'],
  'config get': ['plug config get call.write'],
  'config set': ['plug config set call.write deny'],
  'config edit': ['plug config edit', 'plug config edit rules'],
  completion: ['plug completion bash', 'plug completion zsh', 'plug completion fish'],
  help: ['plug help', 'plug help call', 'plug help grants add', 'plug help exit-codes'],
};

const remarks: Readonly<Record<string, string>> = {
  call: `Exit codes:
  0 ok · 1 the tool failed · 2 usage · 3 approval required
  4 sign-in required · 5 server not available · 6 not found`,
};

const plain = new Help();

export const listing: {
  readonly subcommandTerm: (command: Command) => string;
  readonly subcommandDescription: (command: Command) => string;
} = {
  subcommandTerm: (command) => (isTop(command) ? command.name() : plain.subcommandTerm(command)),
  subcommandDescription: (command) =>
    (isTop(command) ? SUMMARIES[command.name()] : undefined) ?? plain.subcommandDescription(command),
};

function isTop(command: Command): boolean {
  return command.parent?.parent === null;
}

const SUMMARIES: Readonly<Record<string, string>> = {
  add: 'Add a server from a URL, command, config or name.',
  trust: 'Let a server’s read-only tools run without asking.',
  tools: 'List tools; enable, disable, approve, review them.',
  call: 'Call a tool. Its server starts if needed.',
  import: 'Import servers from other clients.',
  parse: 'Show what a config, command or link contains.',
  connect: "Add Plugboard to a client's config.",
  export: "Print a server in a client's config format.",
  rules: 'Show rules and defaults.',
  status: 'Show a summary; with a name, show a server.',
  audit: 'Show the audit log of calls.',
  logs: 'Show what servers wrote to stderr.',
  auth: 'Sign in to a server, or out.',
  gateway: 'Serve all your servers to an MCP host over stdio.',
  host: 'Manage tokens for hosts that connect by URL.',
  'read-only': 'Turn read-only mode on or off.',
  hub: 'Manage the background process.',
  config: 'Show and change settings.',
  deny: 'Deny a pending call.',
  profile: 'Manage named sets of servers and tools.',
  install: "Install a server's package.",
  update: 'Update a server to its newest version.',
  setup: 'Import from other clients and connect them.',
  grants: 'Manage grants: list, add, revoke.',
  enable: 'Enable servers.',
  disable: 'Disable servers.',
};

export function addExamples(command: Command, path = ''): void {
  const lines = examples[path];
  // A command with its own examples keeps them. It is an event emitter, which its types don't say.
  const own = (command as unknown as EventEmitter).listenerCount('afterHelp');
  if (lines && own === 0) {
    const remark = remarks[path] === undefined ? '' : `\n\n${remarks[path]}`;
    command.addHelpText('after', `\nExamples:\n${lines.map((line) => `  ${line}`).join('\n')}${remark}`);
  }
  command.helpCommand(false); // plug help is the one way to it
  for (const child of command.commands)
    addExamples(child, path === '' ? child.name() : `${path} ${child.name()}`);
}
