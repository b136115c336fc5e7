import { join } from 'node:path';
import type { Client } from './client.ts';
import { jsonPlace, mistake, settingsFolder } from './places.ts';
import { standardDialect } from './standard-dialect.ts';

const FILE = 'claude_desktop_config.json';

export const claudeDesktop: Client = {
  name: 'claude-desktop',
  title: 'Claude Desktop',
  // Its file takes local servers only; addresses are added in its settings.
  dialect: { ...standardDialect, kinds: { stdio: null } },
  places: (machine) => [jsonPlace('user', join(settingsFolder(machine), 'Claude', FILE), 'mcpServers')],
  mistakes: (machine) => {
    const why = `Claude Desktop reads only ${join(settingsFolder(machine), 'Claude', FILE)}.`;
    return [
      mistake(join(machine.home, FILE), why),
      mistake(join(machine.home, '.claude', FILE), why),
      mistake(join(settingsFolder(machine), 'Claude', 'config.json'), why),
    ];
  },
};
