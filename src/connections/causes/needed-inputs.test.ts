import { expect, test } from 'vitest';
import { neededInputs } from './needed-inputs.ts';

/** The last output of published servers that were started without their keys, and what they ask for. */
const ASKING: readonly (readonly [said: string, needs: readonly (readonly string[])[]])[] = [
  ['Error: BRAVE_API_KEY environment variable is required', [['BRAVE_API_KEY']]],
  ['GITLAB_PERSONAL_ACCESS_TOKEN environment variable is not set', [['GITLAB_PERSONAL_ACCESS_TOKEN']]],
  [
    'Either FIGMA_API_KEY or FIGMA_OAUTH_TOKEN is required (via CLI argument or .env file)',
    [['FIGMA_API_KEY', 'FIGMA_OAUTH_TOKEN']],
  ],
  [
    'Please provide a personal access token (PAT) with the --access-token flag or set the SUPABASE_ACCESS_TOKEN environment variable',
    [['SUPABASE_ACCESS_TOKEN']],
  ],
  [
    'Please set SLACK_BOT_TOKEN and SLACK_TEAM_ID environment variables',
    [['SLACK_BOT_TOKEN'], ['SLACK_TEAM_ID']],
  ],
  [
    'Error: A Brave API key is required via --brave-api-key, BRAVE_API_KEY, --brave-api-key-file, or BRAVE_API_KEY_FILE.',
    [['BRAVE_API_KEY']],
  ],
  [
    'Stripe API key not provided. Please either pass it as an argument --api-key=$KEY or set the STRIPE_SECRET_KEY environment variable.',
    [['STRIPE_SECRET_KEY']],
  ],
  [
    'Error: HubSpot access token is required. Set PRIVATE_APP_ACCESS_TOKEN in your environment variables and retry.\n    at new Client (file:///x.js:1:2)\n\nNode.js v20.20.2',
    [['PRIVATE_APP_ACCESS_TOKEN']],
  ],
  ['No API key provided. Set it in the `AIRTABLE_API_KEY` environment variable', [['AIRTABLE_API_KEY']]],
  [
    'Error: No access token was provided.\nRun `x auth login` first, or pass `--access-token` / `SENTRY_ACCESS_TOKEN`.\nUsage: x [--access-token=<token>] [--host=<host>]',
    [['SENTRY_ACCESS_TOKEN']],
  ],
  ['Missing required environment variables:\n  - ACME_URL\n  - ACME_TOKEN', [['ACME_URL'], ['ACME_TOKEN']]],
  ["KeyError: 'ACME_API_KEY'", [['ACME_API_KEY']]],
  ['Usage: acme-mcp --access-token=TOKEN [--verbose]', [['--access-token']]],
  ['Usage: acme-files <allowed-directory> [more...]', [['allowed-directory']]],
  ['Please provide a database URL as a command-line argument', [['database URL']]],
];

test.each(ASKING)('%s', (said, needs) => {
  const found = neededInputs(said.split('\n'));
  expect(found.map(({ oneOf }) => oneOf.map(({ name }) => name))).toEqual(needs);
});

test('what a server says about itself, or can do without, is not asked for', () => {
  for (const said of [
    'Error [ERR_MODULE_NOT_FOUND]: Cannot find package',
    'Error: unable to verify: UNABLE_TO_VERIFY_LEAF_SIGNATURE is required',
    'npm error code ETARGET\nnpm error notarget No matching version found for x@1.',
    'no TAVILY_API_KEY set; running in keyless mode. An API key is required for other tools.',
    'Warning: LOG_LEVEL is not set, defaults to info',
    'It failed.',
  ]) {
    expect(neededInputs(said.split('\n'))).toEqual([]);
  }
});

test('a variable that it was given is not asked for again', () => {
  expect(neededInputs(['ACME_KEY is required'], ['ACME_KEY'])).toEqual([]);
});
