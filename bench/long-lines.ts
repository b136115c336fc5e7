import { report, type Figure } from './figure.ts';
import { LineClient } from './line-client.ts';
import { cpuOf, interleave } from './measure.ts';
import { echoCommand, openHubAt, product, temporaryHome } from './product.ts';

/** Reading one long line takes time in proportion to its length, whatever the length. */
const MEGABYTE = 1024 * 1024;
const SIZES_MB = [16, 32, 64] as const;
const ROUNDS = 5;

using home = temporaryHome();
await using hub = await openHubAt(home.path);
await using floor = new LineClient(echoCommand());
const { defineServer } = await product<typeof import('../src/servers/definition.ts')>('servers/definition');
await hub.servers.add({
  definition: defineServer({ id: 'echo', endpoint: { kind: 'stdio', ...echoCommand(), env: {} } }),
});
await hub.tools.list({ server: 'echo' });
await hub.servers.trust({ id: 'echo' });

const figures: Figure[] = [];
const nsPerByte: number[] = [];
for (const size of SIZES_MB) {
  const bytes = size * MEGABYTE;
  const cost = await interleave(
    {
      hub: () =>
        cpuOf(async () =>
          check((await hub.tools.call({ tool: 'echo/big', args: { bytes }, whole: true })).result),
        ),
      floor: () => cpuOf(async () => check(await floor.call('big', { bytes }))),
    },
    { rounds: ROUNDS },
  );
  const perByte = (microseconds: number): number => (microseconds * 1000) / bytes;
  nsPerByte.push(perByte(cost.hub));
  figures.push({
    name: `answer of ${size} MB, CPU per byte`,
    unit: 'ns',
    measured: perByte(cost.hub),
    floor: perByte(cost.floor),
    target: { ratioMax: 1.5 },
  });

  function check(result: Readonly<Record<string, unknown>>): void {
    const content = result['content'] as { text?: string }[] | undefined; // the echo server's own shape
    if (content?.[0]?.text?.length !== bytes) throw new Error(`The answer does not have ${bytes} bytes.`);
  }
}
figures.push({
  name: 'a byte of 64 MB against a byte of 16 MB',
  unit: 'ns',
  measured: nsPerByte.at(-1) ?? Number.NaN,
  floor: nsPerByte[0] ?? Number.NaN,
  // Linear is 1; a quadratic reader would be at 4.
  target: { ratioMax: 2 },
});
report(figures);
