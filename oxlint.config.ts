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
  'team',
  'cli',
] as const;

type Folder = (typeof ORDER)[number];

/** Denials beyond the order, each with its sentence. */
const DENIED: Partial<Record<Folder, readonly Folder[]>> = {
  // Only hub composes storage; faces act through hub/hub.ts.
  gateway: ['storage', 'agent'],
  // A model is shown the tools as the gateway shows them.
  agent: ['storage'],
  api: ['storage', 'gateway', 'agent'],
  editors: ['storage', 'gateway', 'agent', 'api'],
  daemon: ['storage'],
  cli: ['storage', 'connections', 'calls', 'gateway'],
};

/** Where a whole family of modules may be used, and nowhere else. */
interface Family {
  readonly regex: string;
  readonly what: string;
  readonly home: readonly Folder[];
}

const FAMILIES: readonly Family[] = [
  {
    regex: '^(node:)?(child_process|cluster)$',
    what: 'Processes are started',
    home: ['connections', 'daemon'],
  },
  { regex: '^(kysely|pg|(node:)?sqlite)(/|$)', what: 'SQL is spoken', home: ['storage', 'daemon'] },
  { regex: '^@modelcontextprotocol/', what: 'The MCP SDK is used', home: ['connections', 'gateway'] },
];

/** The way to a tool leads through a decision: who else could open these doors could go around it. */
const GUARDED: readonly Family[] = [
  { regex: '^(\\.\\./)+connections/permit\\.ts$', what: 'Permits are made', home: ['policy'] },
  { regex: '^(\\.\\./)+policy/permit\\.ts$', what: 'Permits are asked for', home: ['calls'] },
  { regex: '^(\\.\\./)+policy/answered\\.ts$', what: 'Answers are vouched for', home: ['policy'] },
  { regex: '^(\\.\\./)+calls/(invoke|permission)\\.ts$', what: 'Tools are invoked', home: ['calls'] },
];

/** The same things under another name. Tests may use them. */
const BACK_DOORS: readonly Family[] = [
  { regex: '^(node:)?timers(/|$)', what: 'Timers are used (see base/clock.ts)', home: ['base'] },
  { regex: '^(node:)?process$', what: 'The process is imported by name', home: [] },
];

const rulesFor = (folder: Folder, kind: 'code' | 'tests'): OxlintOverride => {
  const right = ORDER.slice(ORDER.indexOf(folder) + 1);
  const denied = [...right, ...(DENIED[folder] ?? [])];
  const families = [...FAMILIES, ...GUARDED, ...(kind === 'code' ? BACK_DOORS : [])].filter(
    ({ home }) => !home.includes(folder),
  );
  // A regex with a look-ahead would be ignored in silence: test/lint.test.ts plants violations.
  const patterns = [
    ...denied.map((other) => ({
      regex: `^(\\.\\./)+${other}/`,
      message: `${folder} may not import ${other}: imports go only to the left in “${ORDER.join(' · ')}”, and faces act through hub/hub.ts.`,
    })),
    ...families.map(({ regex, what, home }) => ({
      regex,
      message: home.length === 0 ? `${what} nowhere.` : `${what} only in ${home.join(', ')}.`,
    })),
    {
      regex: '^(\\.\\./|\\./[^/]+/)(.*/)?_[^/]*$',
      message: 'A file whose name starts with _ is private to its folder.',
    },
    ...(kind === 'tests' || folder === 'base'
      ? []
      : [
          {
            regex: '^(node:)?crypto$',
            importNamePattern: '^(random|getRandomValues|webcrypto)',
            message: 'Randomness comes from base/ids.ts.',
          },
          {
            regex: '^(node:)?worker_threads$',
            importNames: ['Worker'],
            message: 'Threads are started by base/thread.ts.',
            allowTypeImports: true,
          },
        ]),
    {
      regex: '^(\\.\\./)+(src/|dist/|(index|bin)\\.ts$)',
      message: 'A folder is imported by its shortest path, and the doors of the product by nobody.',
    },
  ];
  return {
    files: [`src/${folder}/**/*${kind === 'tests' ? '.test' : ''}.ts`],
    rules: { 'no-restricted-imports': ['error', { patterns }] },
  };
};

const ON_THE_PAGE: ReadonlySet<Folder> = new Set(['base', 'catalog', 'policy', 'api']);

/** The page runs in a browser: of the hub it knows types, and the few files that need no Node. */
const PAGE: OxlintOverride = {
  files: ['web/{src,app-frame}/**/*.ts', 'web/src/**/*.tsx'],
  plugins: ['typescript', 'import', 'unicorn', 'oxc', 'promise', 'react', 'jsx-a11y'],
  rules: {
    'max-lines': ['error', { max: 250, skipBlankLines: false, skipComments: false }],
    'react/react-in-jsx-scope': 'off',
    'react/rules-of-hooks': 'error',
    'react/exhaustive-deps': 'error',
    'react/no-danger': 'error',
    'react/jsx-no-target-blank': 'error',
    // Styles come as modules: they are used by what they name.
    'import/no-unassigned-import': ['error', { allow: ['**/*.css'] }],
    'no-restricted-imports': [
      'error',
      {
        patterns: [
          {
            regex: `^(\\.\\./)+src/(${ORDER.filter((folder) => !ON_THE_PAGE.has(folder)).join('|')})/`,
            message: 'The page takes only types from there: it reaches the hub through src/api/client.ts.',
            allowTypeImports: true,
          },
          { regex: '^node:', message: 'There is no Node in a browser.' },
        ],
      },
    ],
  },
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
      { object: 'performance', property: 'now', message: 'Time comes from base/clock.ts.' },
      { object: 'globalThis', property: 'setTimeout', message: 'Time comes from base/clock.ts.' },
      { object: 'globalThis', property: 'setInterval', message: 'Time comes from base/clock.ts.' },
      { object: 'AbortSignal', property: 'timeout', message: 'Time comes from base/clock.ts.' },
      { object: 'Math', property: 'random', message: 'Randomness comes from base/ids.ts.' },
      // Not randomUUID: a client in a browser names itself by it (src/api/).
      ...['randomBytes', 'randomInt', 'getRandomValues'].map((property) => ({
        object: 'crypto',
        property,
        message: 'Randomness comes from base/ids.ts.',
      })),
      {
        object: 'process',
        property: 'env',
        message: 'The environment is read at the doors: bin.ts and index.ts.',
      },
      { object: 'process', property: 'exit', message: 'Only bin.ts ends the process.' },
    ],
  },
  overrides: [
    PAGE,
    ...ORDER.map((folder) => rulesFor(folder, 'code')),
    ...ORDER.map((folder) => rulesFor(folder, 'tests')),
    {
      files: [
        'src/base/clock.ts',
        'src/base/ids.ts',
        'src/bin.ts',
        // The library's door: a program that names no environment of its own gets its process's.
        'src/index.ts',
        'test/**',
        'bench/**',
        'web/**',
        'scripts/**',
        'src/**/*.test.ts',
        '*.config.ts',
      ],
      rules: { 'no-restricted-globals': 'off', 'no-restricted-properties': 'off' },
    },
    { files: ['test/**', 'bench/**', 'src/**/*.test.ts'], rules: { 'max-lines': 'off' } },
  ],
});
