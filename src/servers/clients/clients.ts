import { PlugError } from '../../base/errors.ts';
import type { Client, ClientName } from './client.ts';
import { claudeCode, copilotCli, geminiCli, opencode, codex } from './terminal-clients.ts';
import { claudeDesktop, libreChat, lmStudio, mcpJson } from './desktop-clients.ts';
import { cline, continueDev, cursor, roo, vscode, windsurf, zed } from './editor-clients.ts';
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

/** The name as people know it; a name that is no client's stays as it is. */
export function clientTitle(name: string): string {
  return clients.find((client) => client.name === name)?.title ?? name;
}

export function clientNamed(name: string): Client {
  const wanted = OTHER_NAMES[name] ?? name;
  const found = clients.find((client) => client.name === wanted);
  if (found) return found;
  throw new PlugError('not_found', `“${name.slice(0, 80)}” is not a client that we know.`, {
    owner: 'you',
    remedy: `Use one of ${clients.map((client) => client.name).join(', ')}.`,
  });
}
