import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  endsUnless,
  exists,
  local,
  situations,
  standIn,
  withWord,
  type Situation,
} from './doctor-situations.ts';
import { newSite } from './doctor-situations-site.ts';

const startMs = 1_500;
/** A limit that a hanging server reaches soon. */
const soon = { timeouts: { startMs } };

/** The program behind an entry: what keeps it from starting, as it says itself. */
const rows: readonly Situation[] = [
  {
    when: 'a key is not in its environment, and it says so',
    plant: endsUnless(
      'process.env.NOTES_KEY',
      'Error: NOTES_KEY environment variable is required\n    at main (index.js:3)\n\nNode.js v20.20.2\n',
    ),
    env: { NOTES_KEY: 'k-1' },
    cause: { check: 'stderr', cause: 'missing_input' },
    says: /variable NOTES_KEY/,
    remedy: { do: 'edit-server', field: 'env.NOTES_KEY', to: '${NOTES_KEY}' },
  },
  {
    when: 'Python misses a variable',
    plant: endsUnless(
      'process.env.NOTES_KEY',
      'Traceback (most recent call last):\n  File "server.py", line 4\nKeyError: \'NOTES_KEY\'\n',
    ),
    env: { NOTES_KEY: 'k-1' },
    cause: { check: 'stderr', cause: 'missing_input' },
    says: /variable NOTES_KEY/,
    remedy: { do: 'edit-server', field: 'env.NOTES_KEY' },
  },
  {
    when: 'it has a key, and does not accept it',
    plant: {
      ...endsUnless("process.env.NOTES_KEY === 'right'", 'Fatal: authentication failed (401 Unauthorized)\n'),
      env: { NOTES_KEY: '${vault:notes-key}' },
    },
    cause: { check: 'variables', cause: 'missing_input' },
    says: /notes-key/,
    remedy: { do: 'set-secret', name: 'notes-key' },
    knows: 'right',
  },
  {
    when: 'the key of its account is wrong',
    plant: async (ward) => {
      ward.entry({
        ...endsUnless(
          "process.env.NOTES_KEY === 'right'",
          'Fatal: authentication failed (401 Unauthorized)\n',
        ),
        env: { NOTES_KEY: '${vault:notes-key}' },
      });
      await (await ward.hub()).secrets.set({ name: 'notes-key', value: 'wrong' });
    },
    cause: { check: 'stderr', cause: 'sign_in_needed' },
    says: /key or token/,
    remedy: { do: 'set-secret', name: 'notes-key', server: 'sick' },
    knows: 'right',
  },
  {
    when: 'a module of it is not installed',
    plant: (ward) =>
      endsUnless(
        exists(standIn(ward, 'npm')),
        "Error: Cannot find module 'left-pad'\nRequire stack:\n- /srv/index.js\n    at Module._resolveFilename\n  code: 'MODULE_NOT_FOUND'\n}\n\nNode.js v20.20.2\n",
      ),
    cause: { check: 'stderr', cause: 'start_failed' },
    says: /left-pad/,
    remedy: { do: 'run', line: 'npm install left-pad' },
  },
  {
    when: 'a native module was never built',
    plant: (ward) =>
      endsUnless(
        exists(standIn(ward, 'npm')),
        '/srv/node_modules/bindings/bindings.js:126\n  err = new Error(\n        ^\n\nError: Could not locate the bindings file. Tried:\n → /srv/node_modules/better-sqlite3/build/better_sqlite3.node\n → /srv/node_modules/better-sqlite3/out/Release/better_sqlite3.node\n    at bindings (/srv/node_modules/bindings/bindings.js:126:9)\n\nNode.js v20.20.2\n',
      ),
    cause: { check: 'stderr', cause: 'start_failed' },
    says: /native module.*better-sqlite3/,
    remedy: { do: 'run', line: 'npm rebuild better-sqlite3' },
  },
  {
    when: 'a native module was built for another Node',
    plant: (ward) =>
      endsUnless(
        exists(standIn(ward, 'npm')),
        "Error: The module '/srv/node_modules/better-sqlite3/build/Release/better_sqlite3.node'\nwas compiled against a different Node.js version using\nNODE_MODULE_VERSION 115. This version of Node.js requires\nNODE_MODULE_VERSION 137.\n    at Object..node\n\nNode.js v24.21.0\n",
      ),
    cause: { check: 'stderr', cause: 'start_failed' },
    says: /native module.*better-sqlite3/,
    remedy: { do: 'run', line: 'npm rebuild better-sqlite3' },
  },
  {
    when: 'a file that it reads has moved',
    plant: (ward) =>
      endsUnless(
        exists(join(ward.home, 'notes.db')),
        `Error: ENOENT: no such file or directory, open '${join(ward.home, 'notes.db')}'\n    at Object.open\n\nNode.js v20.20.2\n`,
      ),
    cause: { check: 'stderr', cause: 'bad_config' },
    says: /notes\.db/,
    remedy: { do: 'choose-path' },
    does: (ward) => writeFileSync(join(ward.home, 'notes.db'), ''),
  },
  {
    when: 'it may not read a file',
    plant: (ward) => {
      const file = join(ward.home, 'notes.db');
      writeFileSync(file, '');
      chmodSync(file, 0o644);
      return endsUnless(
        `(require('fs').statSync(${JSON.stringify(file)}).mode & 0o100)`,
        `Error: EACCES: permission denied, open '${file}'\n`,
      );
    },
    cause: { check: 'stderr', cause: 'denied' },
    says: /notes\.db/,
    remedy: { do: 'run' },
    does: (ward) => chmodSync(join(ward.home, 'notes.db'), 0o744),
  },
  {
    when: 'the folder that it is allowed to use is not there',
    plant: (ward) =>
      endsUnless(
        exists(join(ward.home, 'documents')),
        `Error accessing directory ${join(ward.home, 'documents')}: Error: ENOENT: no such file or directory, stat '${join(ward.home, 'documents')}'\n`,
      ),
    cause: { check: 'stderr', cause: 'bad_config' },
    says: /documents/,
    remedy: { do: 'choose-path' },
    does: (ward) => mkdirSync(join(ward.home, 'documents')),
  },
  {
    when: 'it does not know an argument',
    plant: withWord(
      '--stdoi',
      endsUnless(
        "!process.argv.includes('--stdoi')",
        "error: unknown option '--stdoi'\n(Did you mean --stdio?)\n",
      ),
    ),
    cause: { check: 'stderr', cause: 'bad_config' },
    says: /--stdoi/,
    remedy: { do: 'edit-server', field: 'args' },
    knows: (args) => (args as string[]).filter((word) => word !== '--stdoi'),
  },
  {
    when: 'Docker is installed, and not running',
    plant: (ward) =>
      endsUnless(
        exists(join(ward.home, 'docker.sock')),
        "docker: Cannot connect to the Docker daemon at unix:///var/run/docker.sock. Is the docker daemon running?\n\nRun 'docker run --help' for more information\n",
        125,
      ),
    cause: { check: 'stderr', cause: 'unreachable' },
    says: /Docker is installed/,
    remedy: { do: 'say', text: 'Start Docker, then try again.' },
    does: (ward) => writeFileSync(join(ward.home, 'docker.sock'), ''),
  },
  {
    when: 'it ends without a word, with success',
    plant: endsUnless("process.argv.includes('stdio')", '', 0),
    cause: { check: 'spawn', cause: 'start_failed' },
    says: /exit code 0.*It wrote nothing/,
    remedy: { do: 'edit-server', field: 'args' },
    knows: (args) => [...(args as string[]), 'stdio'],
  },
  {
    when: 'it ends without a word, with a failure',
    plant: endsUnless("process.argv.includes('stdio')", '', 3),
    cause: { check: 'spawn', cause: 'start_failed' },
    says: /exit code 3.*It wrote nothing/,
    remedy: { do: 'edit-server', field: 'args' },
    knows: (args) => [...(args as string[]), 'stdio'],
  },
  {
    when: 'it never answers',
    plant: local(
      "if(!process.argv.includes('stdio'))globalThis.other={initialize(){},'server/discover'(){}}",
      soon,
    ),
    cause: { check: 'handshake', cause: 'start_timeout' },
    says: /did(?: not|n’t) (?:answer|respond)/,
    remedy: { do: 'edit-server', field: 'args' },
    knows: (args) => [...(args as string[]), 'stdio'],
  },
  {
    when: 'it answers the first question, and hangs when asked for its tools',
    // The first start hangs; the next one does not.
    plant: (ward) =>
      local(
        `const f=${JSON.stringify(join(ward.home, 'first'))};if(!require('fs').existsSync(f)){require('fs').writeFileSync(f,'');globalThis.other={'tools/list'(){}}}`,
        soon,
      ),
    cause: { check: 'handshake', cause: 'start_timeout' },
    says: /not ready.*connected but didn’t list its tools/,
    remedy: { do: 'restart', server: 'sick' },
  },
  {
    when: 'it is a remote server, started as a local one',
    plant: local(
      "if(!process.argv.includes('stdio'))require('http').createServer().listen(0,'127.0.0.1',function(){console.log('Server listening on http://localhost:'+this.address().port+'/mcp')});if(!process.argv.includes('stdio'))globalThis.other={initialize(){},'server/discover'(){}}",
      soon,
    ),
    cause: { check: 'handshake', cause: 'start_timeout' },
    says: /listens on a port/,
    remedy: { do: 'say' },
    does: async (ward) => {
      const site = await newSite();
      ward.entry({ url: site.url });
      await (await ward.hub()).servers.reload();
    },
  },
  {
    when: 'it was killed',
    // A start that ends at the first question is tried once more by itself.
    plant: (ward) =>
      local(
        `const fs=require('fs'),f=${JSON.stringify(join(ward.home, 'kills'))};fs.appendFileSync(f,'.');if(fs.statSync(f).size<3)process.kill(process.pid,'SIGKILL')`,
      ),
    cause: { check: 'spawn', cause: 'start_failed' },
    says: /SIGKILL/,
    remedy: { do: 'restart', server: 'sick' },
  },
  {
    when: 'it refuses to start a session, and says why',
    plant: local(
      "if(process.env.NOTES_KEY!=='k-1')globalThis.other={initialize:()=>({error:{code:-32602,message:'NOTES_KEY is required'}})}",
    ),
    env: { NOTES_KEY: 'k-1' },
    cause: { check: 'handshake', cause: 'server_error' },
    says: /NOTES_KEY/,
    remedy: { do: 'edit-server', field: 'env.NOTES_KEY' },
  },
  {
    when: 'it speaks a version of MCP that is too old',
    plant: (ward) =>
      local(
        `if(!${exists(join(ward.home, 'updated'))})globalThis.other={initialize:()=>({result:{protocolVersion:'2023-01-01',capabilities:{},serverInfo:{}}})}`,
      ),
    cause: { check: 'handshake', cause: 'protocol_error' },
    says: /MCP "2023-01-01"/,
    remedy: { do: 'say' },
    does: (ward) => writeFileSync(join(ward.home, 'updated'), ''),
  },
];

situations(rows);
