import { defineConfig, type OxlintOverride } from 'oxlint';

/** A folder imports only folders to its left; `import type` counts. */
const ORDER = [
  'base',
  'servers',
  'vault',
  'connections',
  'catalog',
  'policy',
  'calls',
  'storage',
  'hub',
  'gateway',
  'agent',
  'api',
  'editors',
  'daemon',
  'cli',
] as const;

type Folder = (typeof ORDER)[number];

/** Denials beyond the order, each with its sentence. */
const DENIED: Partial<Record<Folder, readonly Folder[]>> = {
  // Only hub composes storage; faces act through hub/hub.ts.
  gateway: ['storage', 'agent'],
  agent: ['storage', 'gateway'],
  api: ['storage', 'gateway', 'agent'],
  editors: ['storage', 'gateway', 'agent', 'api'],
  daemon: ['storage'],
  cli: ['storage', 'connections', 'calls', 'gateway'],
};

/** Where a whole family of things may be used, and nowhere else. */
const PROCESSES = { paths: ['node:child_process', 'child_process'], home: ['connections', 'daemon', 'cli'] };
const SQL = { paths: ['kysely', 'pg', 'node:sqlite'], home: ['storage', 'daemon'] };
const MCP = {
  paths: [
    '@modelcontextprotocol/client',
    '@modelcontextprotocol/client/stdio',
    '@modelcontextprotocol/core',
    '@modelcontextprotocol/server',
  ],
  home: ['connections', 'gateway'],
};

const rulesFor = (folder: Folder): OxlintOverride => {
  const right = ORDER.slice(ORDER.indexOf(folder) + 1);
  const denied = [...right, ...(DENIED[folder] ?? [])];
  const families = [PROCESSES, SQL, MCP].filter((family) => !family.home.includes(folder));
  return {
    files: [`src/${folder}/**/*.ts`],
    rules: {
      'no-restricted-imports': [
        'error',
        {
          paths: families.flatMap((family) =>
            family.paths.map((name) => ({
              name,
              message: `${name} is used only in ${family.home.join(', ')}.`,
            })),
          ),
          patterns: [
            ...denied.map((other) => ({
              regex: `^(\\.\\./)+${other}/`,
              message: `${folder} may not import ${other}: imports go only to the left in “${ORDER.join(' · ')}”, and faces act through hub/hub.ts.`,
            })),
            {
              regex: '^(\\.\\./)+([a-z-]+/)*_',
              message: 'A file whose name starts with _ is private to its folder.',
            },
          ],
        },
      ],
    },
  };
};

export default defineConfig({
  plugins: ['typescript', 'import', 'unicorn', 'oxc', 'promise'],
  categories: { correctness: 'error', suspicious: 'error', perf: 'error' },
  options: { typeAware: true },
  rules: {
    'import/no-cycle': 'error',
    'max-lines': ['error', { max: 400, skipBlankLines: false, skipComments: false }],
    'typescript/no-explicit-any': 'error',
    'typescript/no-floating-promises': 'error',
    'typescript/no-misused-promises': 'error',
    'typescript/switch-exhaustiveness-check': 'error',
    'no-await-in-loop': 'off',
    'no-underscore-dangle': 'off',
    'unicorn/consistent-function-scoping': 'off',
    'no-shadow': 'off',
    // Data are readonly: copying while mapping is how they change.
    'oxc/no-map-spread': 'off',
    // Transports of the SDK are no event targets.
    'unicorn/prefer-add-event-listener': 'off',
    // An `as` carries a comment that says why it is true; review holds that better than a ban.
    'typescript/no-unsafe-type-assertion': 'off',
    'no-restricted-globals': [
      'error',
      { name: 'setTimeout', message: 'Time comes from base/clock.ts.' },
      { name: 'setInterval', message: 'Time comes from base/clock.ts.' },
    ],
    'no-restricted-properties': [
      'error',
      { object: 'Date', property: 'now', message: 'Time comes from base/clock.ts.' },
      { object: 'Math', property: 'random', message: 'Randomness comes from base/ids.ts.' },
      { object: 'process', property: 'env', message: 'The environment is read in bin.ts alone.' },
      { object: 'process', property: 'exit', message: 'Only bin.ts ends the process.' },
    ],
  },
  overrides: [
    ...ORDER.map(rulesFor),
    {
      files: [
        'src/base/clock.ts',
        'src/base/ids.ts',
        'src/bin.ts',
        'test/**',
        'bench/**',
        'scripts/**',
        'src/**/*.test.ts',
        '*.config.ts',
      ],
      rules: { 'no-restricted-globals': 'off', 'no-restricted-properties': 'off', 'max-lines': 'off' },
    },
  ],
});
