import { showHidden } from '../../../src/catalog/hidden-text.ts';

/** `claude-code` as its maker writes it. */
export function clientTitle(name: string): string {
  const title = name.replaceAll('-', ' ').replaceAll(/\b[a-z]/g, (letter) => letter.toUpperCase());
  return OWN[name] ?? showHidden(title);
}

const OWN: Readonly<Record<string, string>> = {
  vscode: 'VS Code',
  'lm-studio': 'LM Studio',
  'copilot-cli': 'Copilot CLI',
  'gemini-cli': 'Gemini CLI',
  librechat: 'LibreChat',
  opencode: 'opencode',
  goose: 'goose',
  'mcp-json': 'mcp.json',
};
