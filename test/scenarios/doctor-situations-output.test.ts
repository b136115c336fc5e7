import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { endsUnless, exists, local, situations, standIn, type Situation } from './doctor-situations.ts';

/** What a program says as it ends, and what the person does about it: the next start finds it done. */
const said: readonly (readonly [
  when: string,
  stderr: string,
  cause: NonNullable<Situation['cause']['cause']>,
  says: RegExp,
  remedy: Situation['remedy'],
])[] = [
  [
    'a module of Python is not installed',
    "Traceback (most recent call last):\nModuleNotFoundError: No module named 'notes_core'\n",
    'start_failed',
    /notes_core/,
    { do: 'run', line: 'pip install notes_core' },
  ],
  [
    'Python itself fails',
    'Traceback (most recent call last):\n  File "x.py", line 1\nValueError: bad port\n',
    'start_failed',
    /ValueError: bad port/,
    { do: 'say' },
  ],
  [
    'its database is not running',
    'Error: connect ECONNREFUSED 127.0.0.1:5432\n',
    'unreachable',
    /Nothing listens at 127\.0\.0\.1:5432/,
    { do: 'say' },
  ],
  [
    'a name is not found',
    'Error: getaddrinfo ENOTFOUND api.notes.invalid\n',
    'unreachable',
    /DNS lookup failed for api\.notes\.invalid/,
    { do: 'say' },
  ],
  [
    'its service is not trusted',
    "Error: self-signed certificate in certificate chain\n  code: 'SELF_SIGNED_CERT_IN_CHAIN'\n}\n\nNode.js v24.21.0\n",
    'unreachable',
    /certificate/,
    { do: 'say' },
  ],
  [
    'its service limits requests',
    'HTTP 429 Too Many Requests\n',
    'rate_limited',
    /Rate limited/,
    { do: 'wait', seconds: 60 },
  ],
  [
    'it needs another Node',
    'npm error code EBADENGINE\nnpm error notsup Required: {"node":">=26"}\n',
    'start_failed',
    /version of Node/,
    { do: 'say' },
  ],
  [
    'the package does not exist',
    "npm error code E404\nnpm error 404 Not Found - GET https://registry.example/mcp-nots\nnpm error 404  'mcp-nots@*' is not in this registry.\nnpm error A complete log of this run can be found in: /x.log\n",
    'not_found',
    /no package mcp-nots/,
    { do: 'edit-server', field: 'args' },
  ],
  [
    'the version does not exist',
    'npm error code ETARGET\nnpm error notarget No matching version found for mcp-notes@9.9.9.\n',
    'not_found',
    /no version 9\.9\.9 of mcp-notes/,
    { do: 'edit-server', field: 'args' },
  ],
  [
    'the Python package does not exist',
    '  × No solution found when resolving tool dependencies:\n  ╰─▶ Because mcp-nots was not found in the package registry\n',
    'not_found',
    /Python package/,
    { do: 'edit-server', field: 'args' },
  ],
  [
    'npm reaches no registry',
    'npm error code ENOTFOUND\nnpm error network request to https://registry.example/x failed\n',
    'unreachable',
    /couldn’t be downloaded/,
    { do: 'restart', server: 'sick' },
  ],
  [
    'the image does not exist',
    "Unable to find image 'notes:9' locally\ndocker: Error response from daemon: pull access denied for notes.\n\nRun 'docker run --help' for more information\n",
    'not_found',
    /container image/,
    { do: 'edit-server', field: 'args' },
  ],
  [
    'the disk is full',
    'Error: ENOSPC: no space left on device, write\n',
    'storage_failed',
    /disk is full/,
    { do: 'run', line: 'df -h' },
  ],
  [
    'it was built for another machine',
    './notes: cannot execute binary file: Exec format error\n',
    'start_failed',
    /another machine/,
    { do: 'say' },
  ],
  [
    'a program that it starts is not installed',
    'Error: spawn ffmpeg ENOENT\n',
    'missing_command',
    /ffmpeg isn't installed/,
    { do: 'say', text: 'Install ffmpeg, then try again.' },
  ],
];

/** The person's own fix elsewhere, or the corrected argument. */
const told: readonly Situation[] = said.map(([when, stderr, cause, says, remedy]) => ({
  when,
  plant: (ward) => {
    standIn(ward, 'pip');
    const done = [exists(join(ward.home, 'pip-was-run')), exists(join(ward.home, 'done'))];
    return endsUnless([...done, "process.argv.includes('right')"].join('||'), stderr);
  },
  cause: { check: 'stderr', cause },
  says,
  remedy,
  knows: (args) => [...(args as string[]), 'right'],
  does: (ward) => writeFileSync(join(ward.home, 'done'), ''),
}));

/** Another program that listens on a port of its own. */
async function holdPort(): Promise<number> {
  const program = `require('node:net').createServer().listen(0,'127.0.0.1',function(){console.log(this.address().port)})`;
  const child = spawn(process.execPath, ['-e', program], { stdio: ['ignore', 'pipe', 'ignore'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  const [line] = (await once(child.stdout, 'data')) as [Buffer]; // a stream without an encoding
  return Number(line.toString());
}

const portTaken: Situation = {
  when: 'the port is taken',
  plant: async () => {
    const port = await holdPort();
    const listen = `const net=require('node:net').createServer();net.on('error',(error)=>{console.error(String(error));process.exit(1)});`;
    return local(`${listen}net.listen(${port},'127.0.0.1')`);
  },
  cause: { check: 'stderr', cause: 'unavailable' },
  says: /port \d+ it needs is used by \S+ \(pid \d+\)/,
  remedy: { do: 'choose-port', server: 'sick', holder: expect.stringMatching(/ \(pid \d+\)$/) },
};

situations([...told, portTaken]);
