import { expect, test } from 'vitest';
import { verifies } from '../../test/requirements.ts';
import { defineServer, type Endpoint, type ServerDefinition } from './definition.ts';
import type { FileTrust } from './store.ts';
import { judgeTrust } from './trust.ts';

const KEY = 'sk-live-Zx81Qm20Vb77Lk35';

function entry(endpoint: Partial<Extract<Endpoint, { kind: 'stdio' }>>): ServerDefinition {
  return defineServer({
    id: 'theirs',
    endpoint: {
      kind: 'stdio',
      command: 'node',
      args: ['server.js', `--api-key=${KEY}`],
      env: { TOKEN: KEY, MODE: 'fast' },
      ...endpoint,
    },
    source: { kind: 'file', file: '/project/mcp.json', scope: 'project' },
  });
}

/** What is kept when the user agrees: the fingerprint of the entry, and the entry without its secrets. */
function trustIn(definition: ServerDefinition): FileTrust {
  const { fingerprint } = judgeTrust(definition, []) ?? { fingerprint: '' };
  const kept = JSON.parse(JSON.stringify(definition).replaceAll(KEY, '[secret]')) as ServerDefinition;
  return { file: '/project/mcp.json', server: 'theirs', fingerprint, trustedAt: 1, definition: kept };
}

verifies(['S4'], 'a secret that stayed the same is no difference beside one that is', () => {
  const trust = [trustIn(entry({}))];
  expect(judgeTrust(entry({}), trust)).toBeUndefined();
  expect(judgeTrust(entry({ command: 'deno' }), trust)).toMatchObject({
    changed: true,
    diff: [{ field: 'command', before: 'node', after: 'deno' }],
  });
  const added = judgeTrust(entry({ env: { TOKEN: KEY, MODE: 'fast', NEW: 'x' } }), trust);
  expect(added?.diff).toEqual([{ field: 'env.NEW', after: 'x' }]);
});

test('a secret that changed is shown as changed, and not shown', () => {
  const trust = [trustIn(entry({}))];
  const judged = judgeTrust(entry({ env: { TOKEN: 'another', MODE: 'fast' } }), trust);
  expect(judged?.diff).toContainEqual({ field: 'env.TOKEN', before: '[secret]', after: '[secret]' });
});
