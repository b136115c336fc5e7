import { expect, test } from 'vitest';
import { defineServer } from '../../servers/definition.ts';
import { causeContext, knownCause } from './known-causes.ts';

const notes = defineServer({
  id: 'notes',
  endpoint: { kind: 'stdio', command: 'npx', args: [], env: { NOTES_GIVEN: 'x' } },
});

const where = causeContext(notes);

/** Last words of real tools, and what they mean. */
const SAYINGS: Readonly<Record<string, readonly [string, RegExp]>> = {
  "npm error 404  '@notes/servr@*' is not in this registry.": ['not_found', /no package @notes\/servr/],
  'npm error notarget No matching version found for @notes/server@^9.1.0.': [
    'not_found',
    /no version \^9\.1\.0 of @notes\/server\./,
  ],
  'npm error code E404': ['not_found', /or this version, isn’t in the npm/],
  'npm error could not determine executable to run': ['bad_config', /no program to start/],
  'npm error path /home/ada/.npm/_npx/1f/node_modules/@notes/native': [
    'start_failed',
    /install script of @notes\/native failed/,
  ],
  'npm error nospc ENOSPC: no space left on device, write': ['storage_failed', /disk is full/],
  'npm error code EINTEGRITY': ['denied', /doesn’t match its checksum/],
  'npm error code E401': ['sign_in_needed', /npm registry denied access \(E401\)/],
  'npm ERR! code ENOTFOUND': ['unreachable', /package couldn’t be downloaded/],
  'npm error code EBADENGINE': ['start_failed', /another version of Node/],
  'This server requires Node.js >= 24.1': ['start_failed', /another version of Node: 24\.1/],
  '  × Because notes-servr was not found in the package registry': [
    'not_found',
    /Python package isn’t in its registry/,
  ],
  'Cannot connect to the Docker daemon at unix:///var/run/docker.sock.': [
    'unreachable',
    /Docker is installed, but/,
  ],
  'docker: Error response from daemon: pull access denied for notes/srv': [
    'not_found',
    /container image doesn't exist/,
  ],
  'Error: unable to verify the first certificate: UNABLE_TO_VERIFY_LEAF_SIGNATURE': [
    'unreachable',
    /certificate/,
  ],
  'Error: listen EADDRINUSE: address already in use 127.0.0.1:3000': ['unavailable', /The port 3000/],
  'Error: connect ECONNREFUSED 127.0.0.1:5432': ['unreachable', /Nothing listens at 127\.0\.0\.1:5432/],
  'Error: getaddrinfo ENOTFOUND db.example': ['unreachable', /DNS lookup failed for db\.example/],
  'Error: Invalid API key provided': ['sign_in_needed', /check your key/],
  "SyntaxError: The requested module 'node:module' does not provide an export named 'enableCompileCache'": [
    'start_failed',
    /newer Node: this one's node:module has no enableCompileCache/,
  ],
  'Error [ERR_UNKNOWN_BUILTIN_MODULE]: No such built-in module: node:sqlite': [
    'start_failed',
    /newer Node: this one has no node:sqlite/,
  ],
  "Error: Cannot find module 'express'": ['start_failed', /module “express”/],
  "Error: Cannot find module '/srv/notes/dist/index.js'": [
    'bad_config',
    /needs \/srv\/notes\/dist\/index\.js, which isn't there/,
  ],
  "ModuleNotFoundError: No module named 'notes.core'": ['start_failed', /Python module “notes\.core”/],
  'Missing required environment variable: NOTES_TOKEN': ['missing_input', /needs the variable NOTES_TOKEN/],
  'Error: NOTES_TOKEN environment variable is required': ['missing_input', /needs the variable NOTES_TOKEN/],
  'NOTES_GIVEN is not set': ['missing_input', /accept the variable NOTES_GIVEN/],
  "KeyError: 'NOTES_TOKEN'": ['missing_input', /needs the variable NOTES_TOKEN/],
  "python3: can't open file '/srv/notes.py': [Errno 2] No such file or directory": [
    'bad_config',
    /needs \/srv\/notes\.py/,
  ],
  "Error: ENOENT: no such file or directory, open '/srv/key.json'": ['bad_config', /needs \/srv\/key\.json/],
  "Error: EACCES: permission denied, open '/srv/key.json'": ['denied', /no permission for \/srv\/key\.json/],
  'Error: ENOSPC: no space left on device, write': ['storage_failed', /disk is full/],
  'FATAL ERROR: Reached heap limit Allocation failed - JavaScript heap out of memory': [
    'crashed',
    /out of memory/,
  ],
  'bash: ./notes: cannot execute binary file: Exec format error': [
    'start_failed',
    /built for another machine/,
  ],
  "error: unknown option '--stdoi'": ['bad_config', /doesn’t accept the argument --stdoi/],
};

test('the last words of the usual tools are understood, and name the very thing', () => {
  for (const [line, [cause, says]] of Object.entries(SAYINGS)) {
    const found = knownCause(['starting', line, '    at file:1:2', ''], where);
    expect({ line, cause: found?.cause }).toEqual({ line, cause });
    expect(found?.says).toMatch(says);
    expect(found?.remedy).toHaveProperty('do');
  }
});

test('of a Python traceback the last line is told', () => {
  const lines = ['Traceback (most recent call last):', '  File "x.py", line 1', 'ValueError: bad port'];
  expect(knownCause(lines, where)?.says).toBe('Its Python program failed: ValueError: bad port');
});

test('words that are not known mean nothing', () => {
  expect(knownCause(['hello', 'server ready', 'loaded 3 tools'], where)).toBeUndefined();
  expect(knownCause([], where)).toBeUndefined();
});

test('a very long line is not searched for ever', () => {
  const long = 'set '.repeat(100_000);
  expect(knownCause([long, `${'E'.repeat(50_000)} is not set`], where)).toBeUndefined();
});
