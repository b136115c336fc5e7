import { join } from 'node:path';
import type { Client } from './client.ts';
import { mistake, yamlPlace } from './places.ts';
import type { PlaceholderSyntax } from './placeholder-syntax.ts';
import { standardDialect } from './standard-dialect.ts';

/** `${VAR}` of the machine, and `{{NAME}}` for what each of its users gives. */
const libreChatSyntax: PlaceholderSyntax = {
  pattern: /\$\{(?<env>[A-Za-z_]\w*)\}|\{\{(?<input>[A-Za-z_]\w*)\}\}/g,
  write: ({ kind, name }) => {
    if (kind === 'env') return `\${${name}}`;
    return kind === 'input' && /^[A-Za-z_]\w*$/.test(name) ? `{{${name}}}` : undefined;
  },
};

export const libreChat: Client = {
  name: 'librechat',
  title: 'LibreChat',
  dialect: {
    ...standardDialect,
    kinds: { stdio: 'stdio', http: 'streamable-http', sse: 'sse', ws: 'websocket' },
    placeholders: libreChatSyntax,
    startTimeout: { field: 'initTimeout', unitMs: 1 },
    callTimeout: { field: 'timeout', unitMs: 1 },
  },
  places: ({ cwd, env }) => {
    const named = env['CONFIG_PATH'];
    const path = named?.endsWith('.yaml') && named.startsWith('/') ? named : join(cwd, 'librechat.yaml');
    return [yamlPlace('project', path, 'mcpServers')];
  },
  mistakes: ({ cwd }) => [
    mistake(join(cwd, 'librechat.yml'), 'LibreChat reads librechat.yaml.', 'yaml'),
    mistake(join(cwd, 'librechat.json'), 'LibreChat reads librechat.yaml.'),
  ],
};
