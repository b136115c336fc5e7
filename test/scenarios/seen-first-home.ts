import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { write } from '../clients/prepared-home.ts';
import { temporaryFolder } from '../servers/temporary-folder.ts';
import { played, reading, writing, type Played } from './calls-played.ts';
import { bin } from './plug-command.ts';
import { keyedCommand } from './seen-servers.ts';

/** The home of somebody who has used three clients, and never us. */
export interface FirstHome {
  readonly home: string;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** Stand readable in the clients' files. */
  readonly keys: readonly string[];
  readonly notes: Played;
}

export function firstHome(): FirstHome {
  const home = temporaryFolder();
  const cwd = join(home, 'boat');
  const programs = join(home, '.local', 'bin');
  mkdirSync(cwd);
  mkdirSync(programs, { recursive: true });
  symlinkSync(bin, join(programs, 'plug'));
  const [notesKey, weatherKey] = ['ntn_9f2c41d0aa7b63e5c8', 'wx-live-40e1b7d2c95f38a6'] as const;
  const notes = played(
    'notes',
    { ...reading('get_note', { text: 'Shopping: bread, butter' }), ...byTitle('Reads a note.') },
    { ...writing('create_note', { text: 'Written.' }), ...byTitle('Writes a note.', 'text') },
  );
  const tides = played('tides', {
    ...reading('get_tides', { text: 'High at noon' }),
    description: 'Tells the tides.',
  });
  program(join(programs, 'notes-mcp'), notes.command);
  program(join(programs, 'tides-mcp'), tides.command);
  program(join(programs, 'weather-mcp'), keyedCommand(weatherKey));
  // What the doctor says of runtimes is not about the machine that the test runs on.
  for (const runtime of ['npx', 'uvx', 'docker']) program(join(programs, runtime), ['true']);
  const notesEntry = { command: 'notes-mcp', env: { NOTES_TOKEN: notesKey } };
  write(join(home, '.claude.json'), {
    numStartups: 12,
    mcpServers: { notes: { type: 'stdio', ...notesEntry } },
  });
  write(join(home, '.cursor', 'mcp.json'), {
    mcpServers: {
      notes: notesEntry,
      weather: { command: 'weather-mcp', env: { WEATHER_API_KEY: weatherKey } },
    },
  });
  write(join(home, '.config', 'Code', 'User', 'mcp.json'), {
    servers: { tides: { type: 'stdio', command: 'tides-mcp' } },
  });
  const PATH = [programs, dirname(process.execPath), '/usr/local/bin', '/usr/bin', '/bin'].join(':');
  const env = { HOME: home, PATH, PLUG_HOME: join(home, '.plug'), PLUG_NO_KEYRING: '1' };
  return { home, cwd, env, keys: [notesKey, weatherKey], notes };
}

/** A command that is on the PATH, as an installed server is. */
function program(file: string, command: readonly string[]): void {
  const words = command.map((word) => `'${word}'`).join(' ');
  writeFileSync(file, `#!/bin/sh\nexec ${words}\n`, { mode: 0o755 });
}

function byTitle(description: string, ...more: readonly string[]): object {
  const properties = Object.fromEntries(['title', ...more].map((name) => [name, { type: 'string' }]));
  return { description, inputSchema: { type: 'object', properties, required: ['title', ...more] } };
}
