import { nextStep } from '../../../base/remedy-command.ts';
import { limits } from '../../../base/limits.ts';
import type { Holding } from '../containers.ts';
import type { PasteChange, PasteProblem } from '../paste.ts';
import type { TextEdit } from '../repair.ts';
import type { Finding, Range, Reading, View } from '../view.ts';
import { isObject } from '../../../base/json.ts';
import { transportOf } from '../aliases.ts';
import { isRunner } from '../commands/run-command.ts';

/** Collects the findings in documents of one syntax. */
export class ConfigReading implements Reading {
  readonly found: Finding[] = [];
  readonly claims: Range[] = [];
  readonly problems: PasteProblem[] = [];
  readonly changes: PasteChange[] = [];
  readonly edits: TextEdit[] = [];
  format?: string;
  notMcp?: string;
  readonly #view: View;
  readonly #syntax: 'json' | 'toml' | 'yaml';

  constructor(view: View, syntax: 'json' | 'toml' | 'yaml') {
    this.#view = view;
    this.#syntax = syntax;
  }

  /** False when the document holds no servers. */
  add(
    holding: Holding,
    { value, range, offsetOf }: { value: unknown; range: Range; offsetOf: (server: HeldServer) => number },
  ): boolean {
    const servers =
      holding.container === null && this.#isAside(range)
        ? holding.servers.filter(tellsServer)
        : holding.servers;
    if (servers.length === 0 && holding.rejected.length === 0) return false;
    this.claims.push(range);
    for (const server of servers)
      this.found.push({ draft: server.draft, at: offsetOf(server), rank: 'config', document: range.from });
    const line = this.#view.lineAt(range.from);
    this.problems.push(...holding.rejected.map((name) => rejected(name, line)));
    this.problems.push(...holding.clustered.map((name) => clustered(name, line)));
    this.format ??= dialectOf(holding.container, value, this.#syntax);
    return true;
  }

  /** Whether it stands within a longer text, as the examples of a README do. */
  #isAside({ from, to }: Range): boolean {
    const { text } = this.#view;
    return text.slice(0, from).trim().length + text.slice(to).trim().length > AROUND_CHARS_MAX;
  }

  repaired(changes: readonly PasteChange[], edits: readonly TextEdit[]): void {
    if (changes.length === 0) return;
    this.changes.push(...changes);
    this.edits.push(...edits);
  }

  /** Says that a document with nothing but built-in extensions has no server. */
  onlyBuiltIns({ builtIns }: Holding): void {
    if (builtIns.length === 0) return;
    this.notMcp ??= `This lists only built-in extensions (${builtIns.slice(0, 5).join(', ')}): they are part of their own client, and there is no server to connect to.`;
  }
}

type HeldServer = Holding['servers'][number];

/** A chat message around an entry; what is longer explains something, with examples of other things. */
const AROUND_CHARS_MAX = 600;

/** `{ "url": "https://example.com" }` and `{ "command": "npm test" }` are what a tool may be called with. */
function tellsServer({ draft, raw }: HeldServer): boolean {
  const { command, args = [], url = '', headers, env } = draft;
  const fields: { readonly type?: unknown; readonly transport?: unknown; readonly args?: unknown } = raw;
  if (transportOf(fields.type ?? fields.transport) !== undefined) return true;
  if (command === undefined) return headers !== undefined || /mcp|sse/i.test(url);
  if (env !== undefined || (Array.isArray(fields.args) && args.length > 0)) return true;
  return isRunner(command, args) || (args.length === 0 && /mcp|server/i.test(command));
}

function rejected(name: string, line: number): PasteProblem {
  return {
    message: `“${name.slice(0, 80)}” has neither a command nor a URL, so there is nothing to connect to.`,
    severity: 'error',
    owner: 'you',
    line,
    ...nextStep('Give it a "command" with "args", or a "url".'),
  };
}

function clustered(name: string, line: number): PasteProblem {
  return {
    message: `“${name.slice(0, 80)}” listens on a port of its cluster; here Docker starts its image over stdio.`,
    severity: 'info',
    owner: 'you',
    line,
    ...nextStep('If it already runs, paste its address instead, such as https://host/mcp.'),
  };
}

export function isTooDeep(text: string): boolean {
  let depth = 0;
  for (const char of text) {
    if (char === '[' || char === '{') depth += 1;
    else if (char === ']' || char === '}') depth = Math.max(0, depth - 1);
    if (depth > limits.pasteDepthMax) return true;
  }
  return false;
}

function dialectOf(container: string | null, root: unknown, syntax: 'json' | 'toml' | 'yaml'): string {
  const key = (container ?? '').toLowerCase();
  if (container === 'kubernetes') return 'a Kubernetes manifest';
  if (container === 'registry') return 'a registry document';
  if (container === null)
    return syntax === 'json' ? 'a server entry in JSON' : `a server entry in ${syntax.toUpperCase()}`;
  if (syntax === 'toml') return key === 'mcp_servers' ? 'Codex config.toml' : 'TOML';
  if (key === 'extensions') return 'goose config.yaml';
  if (syntax === 'yaml') return yamlDialect(key, root);
  return BY_KEY[key] ?? byFields(root);
}

const BY_KEY: Readonly<Record<string, string>> = {
  servers: 'VS Code mcp.json',
  'mcp.servers': 'VS Code settings.json',
  context_servers: 'Zed settings.json',
  mcp: 'opencode.json',
  'amp.mcpservers': 'Amp settings.json',
  mcp_servers: 'an API request with MCP servers',
};

/** `mcpServers` is shared: fields of their own tell clients apart. */
const BY_FIELD: readonly (readonly [string, string])[] = [
  ['httpUrl', 'Gemini CLI settings.json'],
  ['trust', 'Gemini CLI settings.json'],
  ['serverUrl', 'Windsurf mcp_config.json'],
  ['autoApprove', 'Cline mcp settings'],
  ['alwaysAllow', 'Roo mcp_settings.json'],
  ['isActive', 'Cherry Studio mcp.json'],
  ['headersHelper', 'Claude Code .mcp.json'],
];

function byFields(root: unknown): string {
  if (isObject(root) && isObject(root['projects'])) return 'Claude Code .claude.json';
  const entries =
    isObject(root) && isObject(root['mcpServers']) ? Object.values(root['mcpServers']).filter(isObject) : [];
  const match = BY_FIELD.find(([field]) => entries.some((entry) => Object.hasOwn(entry, field)));
  return match?.[1] ?? 'mcp.json (mcpServers)';
}

function yamlDialect(key: string, root: unknown): string {
  if (key !== 'mcpservers' || !isObject(root)) return 'YAML';
  return Array.isArray(root['mcpServers']) ? 'Continue config.yaml' : 'LibreChat librechat.yaml';
}
