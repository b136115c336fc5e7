import { report } from './figure.ts';
import { product } from './product.ts';

/** How long a paste of 5 kB takes to understand, in the forms that people paste most. */
const ROUNDS = 300;
const BYTES = 5_000;

const { parsePaste } =
  await product<typeof import('../src/servers/paste/parse-paste.ts')>('servers/paste/parse-paste');

const entries = Array.from({ length: 40 }, (_, index) => [
  `server-${index}`,
  {
    command: 'npx',
    args: ['-y', `@acme/tool-${index}`, '/path/to/folder'],
    env: { ACME_API_KEY: 'your-key' },
  },
]);
const json = JSON.stringify({ mcpServers: Object.fromEntries(entries) }, undefined, 2);
const readme = `# Acme\n\nSome words about Acme.\n\n\`\`\`json\n${json.slice(0, 2_000)}\n\`\`\`\n\n`.padEnd(
  BYTES,
  'Install it and read https://acme.example/docs for more.\n',
);
const commands = Array.from(
  { length: 60 },
  (_, index) => `claude mcp add tool-${index} --env KEY=your-key -- npx -y @acme/tool-${index}`,
).join('\n');
const samples = {
  json,
  broken: json.replaceAll('"', '”').replaceAll('},', '}'),
  readme,
  commands,
  prose: 'Connect Acme to your agent. '.repeat(200),
};

report(
  Object.entries(samples).map(([name, text]) => {
    const paste = text.slice(0, BYTES);
    const times = Array.from({ length: ROUNDS }, () => {
      const started = performance.now();
      parsePaste(paste);
      return performance.now() - started;
    }).toSorted((a, b) => a - b);
    return {
      name: `parse 5 kB, ${name}, p95`,
      unit: 'ms' as const,
      measured: times[Math.floor(ROUNDS * 0.95)] ?? Number.NaN,
      target: { max: 5 },
    };
  }),
);
