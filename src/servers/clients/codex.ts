import { join } from 'node:path';
import type { Json, JsonObject } from '../../base/json.ts';
import type { Client } from './client.ts';
import { type AfterWrite, standardDialect } from './dialect.ts';
import { objectOf, withoutField } from './entry-fields.ts';
import { inFolders, mistakesAt, tomlPlace } from './places.ts';
import { bareSyntax } from './placeholder-syntax.ts';

export const codex: Client = {
  name: 'codex',
  title: 'Codex',
  dialect: {
    ...standardDialect,
    fields: { ...standardDialect.fields, cwd: 'cwd', headers: 'http_headers' },
    // Codex has no placeholders: fields of their own name the variables.
    placeholders: { ...bareSyntax, fields: ['env', 'headers'] },
    off: { field: 'enabled', value: false },
    startTimeout: { field: 'startup_timeout_sec', unitMs: 1_000 },
    callTimeout: { field: 'tool_timeout_sec', unitMs: 1_000 },
    allowTools: 'enabled_tools',
    denyTools: 'disabled_tools',
    beforeRead: fromVariables,
    afterWrite: toVariables,
  },
  places: ({ home, cwd, env }) => [
    tomlPlace('user', join(env['CODEX_HOME'] ?? join(home, '.codex'), 'config.toml'), 'mcp_servers'),
    tomlPlace('project', join(cwd, '.codex', 'config.toml'), 'mcp_servers'),
  ],
  mistakes: ({ home, cwd }) =>
    mistakesAt(
      'Codex reads servers from config.toml.',
      ...inFolders(
        [join(home, '.codex'), join(cwd, '.codex')],
        ['mcp.json', 'config.json', 'mcp_servers.json'],
      ),
    ),
};

/** These fields name variables; our definitions have placeholders. */
function fromVariables(entry: JsonObject): JsonObject {
  const { env_vars: names, bearer_token_env_var: bearer, env_http_headers: named, ...others } = entry;
  const texts = Array.isArray(names) ? names.filter((name) => typeof name === 'string') : [];
  const env = {
    ...objectOf(entry['env']),
    ...Object.fromEntries(texts.map((name) => [name, `\${${name}}`])),
  };
  const headers = {
    ...objectOf(entry['http_headers']),
    ...Object.fromEntries(
      Object.entries(objectOf(named)).flatMap(([header, name]) =>
        typeof name === 'string' ? [[header, `\${${name}}`]] : [],
      ),
    ),
    ...(typeof bearer === 'string' ? { Authorization: `Bearer \${${bearer}}` } : {}),
  };
  const odd = Array.isArray(names) ? names.filter((name) => typeof name !== 'string') : [];
  return {
    ...others,
    ...(Object.keys(env).length > 0 ? { env } : {}),
    ...(Object.keys(headers).length > 0 ? { http_headers: headers } : {}),
    ...(odd.length > 0 ? { env_vars: odd } : {}),
  };
}

function toVariables(entry: JsonObject): AfterWrite {
  const warnings: string[] = [];
  const env = Object.entries(objectOf(entry['env']));
  const passed = env.filter(([key, value]) => value === `\${${key}}`);
  const fixed = env.filter(([key, value]) => value !== `\${${key}}`);
  const headers = Object.entries(objectOf(entry['http_headers']));
  const nameOf = (value: Json | undefined, prefix: RegExp): string | undefined =>
    typeof value === 'string' ? prefix.exec(value)?.[1] : undefined;
  const bearer = headers.find(([key, value]) => /^authorization$/i.test(key) && nameOf(value, BEARER));
  const named = headers.filter(([, value]) => nameOf(value, WHOLE));
  const plain = headers.filter((header) => header !== bearer && !named.includes(header));
  for (const [key, value] of [...fixed, ...plain]) {
    if (typeof value === 'string' && value.includes('${')) {
      warnings.push(`Codex cannot fill in “${value}” for ${key}; put the value there by hand.`);
    }
  }
  const rest = withoutField(withoutField(entry, 'env'), 'http_headers');
  const kept = Array.isArray(entry['env_vars']) ? entry['env_vars'] : [];
  const names = [...kept, ...passed.map(([key]) => key)];
  return {
    warnings,
    entry: {
      ...rest,
      ...(fixed.length > 0 ? { env: Object.fromEntries(fixed) } : {}),
      ...(names.length > 0 ? { env_vars: names } : {}),
      ...(plain.length > 0 ? { http_headers: Object.fromEntries(plain) } : {}),
      ...(bearer ? { bearer_token_env_var: nameOf(bearer[1], BEARER) } : {}),
      ...(named.length > 0
        ? { env_http_headers: Object.fromEntries(named.map(([key, value]) => [key, nameOf(value, WHOLE)])) }
        : {}),
    },
  };
}

const BEARER = /^Bearer \$\{(\w+)\}$/;
const WHOLE = /^\$\{(\w+)\}$/;
