import { expect } from 'vitest';
import { toPlugError } from '../../src/base/errors.ts';
import { defineServer } from '../../src/servers/definition.ts';
import { verifies } from '../requirements.ts';
import { openTestHub } from '../sign-in/signed-in-hub.ts';

verifies(
  ['V5'],
  'a secret that the cut of the last words would halve is hidden whole',
  async () => {
    await using hub = await openTestHub();
    const key = 'sk-live-Zx81Qm20Vb77Lk35';
    await hub.secrets.set({ name: 'demo/KEY', value: key });
    const program = 'console.error("x".repeat(290) + " " + process.env.KEY); process.exit(3)';
    const endpoint = {
      kind: 'stdio',
      command: process.execPath,
      args: ['-e', program],
      cwd: process.cwd(),
      env: { KEY: '${vault:demo/KEY}' },
    } as const;
    await hub.servers.add({ definition: defineServer({ id: 'demo', endpoint }), test: false });
    const error = toPlugError(await hub.servers.start({ id: 'demo' }).catch((thrown: unknown) => thrown));
    expect(error.message).toMatch(/Its last words: x{290} \[secret\]$/);
    expect(JSON.stringify([error.toView(), await hub.servers.get({ id: 'demo' })])).not.toContain(
      key.slice(0, 6),
    );
  },
  30_000,
);
