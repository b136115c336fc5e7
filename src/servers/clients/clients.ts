import { PlugError } from '../../base/errors.ts';
import { didYouMean, suggest } from '../../base/suggest.ts';
import type { Client, ClientName } from './client.ts';
import { claudeCode, copilotCli, geminiCli, opencode, codex } from './terminal-clients.ts';
import { claudeDesktop, libreChat, lmStudio, mcpJson } from './desktop-clients.ts';
import { cline, continueDev, cursor, roo, vscode, windsurf, zed } from './editor-clients.ts';
import { emacs } from './emacs.ts';
import { goose } from './goose.ts';

/** The plain file last: a file that two clients read counts for the first. */
export const clients: readonly Client[] = [
  claudeCode,
  claudeDesktop,
  cursor,
  vscode,
  copilotCli,
  geminiCli,
  codex,
  opencode,
  goose,
  zed,
  windsurf,
  continueDev,
  lmStudio,
  libreChat,
  cline,
  roo,
  mcpJson,
];

const OTHER_NAMES: Readonly<Record<string, ClientName>> = {
  claude: 'claude-code',
  code: 'vscode',
  'vs-code': 'vscode',
  copilot: 'copilot-cli',
  gemini: 'gemini-cli',
  lmstudio: 'lm-studio',
  'roo-code': 'roo',
  'mcp.json': 'mcp-json',
};

/** Those that can be connected: Emacs has no servers of its own that could be imported. */
export const connectableClients: readonly Client[] = [...clients, emacs];

/** The name as people know it; a name that is no client's stays as it is. */
export function clientTitle(name: string): string {
  return connectableClients.find((client) => client.name === name)?.title ?? name;
}

export function clientNamed(name: string): Client {
  return named(name, clients);
}

export function connectableNamed(name: string): Client {
  return named(name, connectableClients);
}

function named(name: string, known: readonly Client[]): Client {
  const wanted = OTHER_NAMES[name] ?? name;
  const found = known.find((client) => client.name === wanted);
  if (found) return found;
  const names = known.map((client) => client.name);
  const shown = name.slice(0, 80);
  const near = didYouMean(suggest(shown, names));
  throw new PlugError('not_found', `Unknown client “${shown}”. ${near}`.trim(), {
    owner: 'you',
    remedy: `Use one of ${names.join(', ')}.`,
  });
}
