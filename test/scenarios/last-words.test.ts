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
    expect(error.message).toMatch(/Last output: x{290} \[secret\]$/);
    expect(JSON.stringify([error.toView(), await hub.servers.get({ id: 'demo' })])).not.toContain(
      key.slice(0, 6),
    );
  },
  30_000,
);

verifies(
  ['S17', 'C15'],
  'Docker’s hint to its help is not what is told: the line before it says why',
  async () => {
    await using hub = await openTestHub();
    const lines = [
      'docker: Cannot connect to the Docker daemon at unix:///var/run/docker.sock. Is the docker daemon running?',
      '',
      "Run 'docker run --help' for more information",
    ];
    const program = `console.error(${JSON.stringify(lines.join('\n'))}); process.exit(125)`;
    const endpoint = {
      kind: 'stdio',
      command: process.execPath,
      args: ['-e', program],
      cwd: process.cwd(),
      env: {},
    } as const;
    const adding = hub.servers.add({ definition: defineServer({ id: 'demo', endpoint }) });
    const { message } = toPlugError(await adding.catch((thrown: unknown) => thrown));
    expect(message).toContain('Cannot connect to the Docker daemon');
    expect(message).not.toContain('--help');
    const done = { ...endpoint, args: ['-e', 'process.exit(0)'] };
    const ended = hub.servers.add({ definition: defineServer({ id: 'setup', endpoint: done }) });
    const { code, remedy } = toPlugError(await ended.catch((thrown: unknown) => thrown));
    expect([code, JSON.stringify(remedy)]).toEqual([
      'start_failed',
      expect.stringContaining('exited without an error'),
    ]);
    expect((await hub.servers.list()).servers).toEqual([]);
  },
  30_000,
);
