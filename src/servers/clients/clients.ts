import { PlugError } from '../../base/errors.ts';
import type { Client, ClientName } from './client.ts';
import { claudeCode } from './claude-code.ts';
import { claudeDesktop } from './claude-desktop.ts';
import { cline } from './cline.ts';
import { codex } from './codex.ts';
import { continueDev } from './continue.ts';
import { copilotCli } from './copilot-cli.ts';
import { cursor } from './cursor.ts';
import { geminiCli } from './gemini-cli.ts';
import { goose } from './goose.ts';
import { libreChat } from './librechat.ts';
import { lmStudio } from './lm-studio.ts';
import { mcpJson } from './mcp-json.ts';
import { opencode } from './opencode.ts';
import { roo } from './roo.ts';
import { vscode } from './vscode.ts';
import { windsurf } from './windsurf.ts';
import { zed } from './zed.ts';

/** Every client that we know, the plain file last: what two of them read counts for the first. */
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

export function clientNamed(name: string): Client {
  const wanted = OTHER_NAMES[name] ?? name;
  const found = clients.find((client) => client.name === wanted);
  if (found) return found;
  throw new PlugError('not_found', `“${name.slice(0, 80)}” is not a client that we know.`, {
    owner: 'you',
    next: `Use one of ${clients.map((client) => client.name).join(', ')}.`,
  });
}
