import { join } from 'node:path';
import type { Client } from './client.ts';
import { jsonPlace, mistake } from './places.ts';
import { standardDialect } from './standard-dialect.ts';

export const lmStudio: Client = {
  name: 'lm-studio',
  title: 'LM Studio',
  dialect: standardDialect,
  places: ({ home }) => [
    jsonPlace('user', join(home, '.lmstudio', 'mcp.json'), 'mcpServers'),
    jsonPlace('user', join(home, '.cache', 'lm-studio', 'mcp.json'), 'mcpServers'),
  ],
  mistakes: ({ home }) => [
    mistake(join(home, '.lmstudio', 'settings.json'), 'LM Studio reads servers from ~/.lmstudio/mcp.json.'),
  ],
};
