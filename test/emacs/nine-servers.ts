import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { JsonObject } from '../../src/base/json.ts';
import { reading, writing, type PlayedTool } from '../scenarios/calls-played.ts';
import { startHttpFixture } from '../servers/start.ts';
import { startTwin } from '../sign-in/twin.ts';
import { fixtureEntry, playedEntry, type Servers } from './emacs-world.ts';
import { text } from './played-tools.ts';

/** What each of them holds as its key: nothing in Emacs may ever show it. */
const SECRET = 'SENTINEL-8f2c71d0';

/** The nine servers of docs/examples, as fixtures: four of them fail, each in a way of its own. */
export async function nineServers(): Promise<(folder: string) => Servers> {
  const notion = await startHttpFixture('legacy-stateless');
  onTestFinished(() => notion.close());
  // It lets nobody in before they have signed in.
  const linear = await startTwin();
  onTestFinished(() => linear[Symbol.asyncDispose]());
  return (folder) => {
    const entry = (id: string, tools: readonly PlayedTool[], env: Record<string, string> = {}): JsonObject =>
      withKey(playedEntry(folder, id, tools), env);
    return {
      linear: { type: 'http', url: linear.url },
      notion: { type: 'http', url: notion.url },
      figma: counted(
        folder,
        entry('figma', [{ ...reading('get_file', { text: 'a file' }), inputSchema: text }]),
      ),
      // Port 1 of this machine, where nothing listens.
      'slack-deepsat': { type: 'sse', url: 'http://127.0.0.1:1/sse' },
      drawio: entry('drawio', [{ ...reading('open_diagram'), inputSchema: text }]),
      'google-calendar': withKey(fixtureEntry('exits-at-once'), { GOOGLE_OAUTH_CREDENTIALS: SECRET }),
      'google-docs-personal': entry('google-docs-personal', docs('mine'), { GOOGLE_CLIENT_SECRET: SECRET }),
      'google-docs-work': entry('google-docs-work', docs('ours'), { GOOGLE_CLIENT_SECRET: SECRET }),
      'google-keep': withKey(fixtureEntry('hangs-in-handshake'), { GOOGLE_MASTER_TOKEN: SECRET }),
    };
  };
}

function docs(says: string): readonly PlayedTool[] {
  return [
    { ...reading('get_doc', { text: says }), inputSchema: text },
    { ...writing('create_doc'), inputSchema: text },
  ];
}

function withKey(entry: JsonObject, env: Readonly<Record<string, string>>): JsonObject {
  return { ...entry, env: { ...env, API_KEY: SECRET } };
}

/** The same entry, started by a shell that notes every start. */
function counted(folder: string, entry: JsonObject): JsonObject {
  const file = join(folder, 'figma.json.starts');
  writeFileSync(file, '');
  const words = [entry['command'], ...(Array.isArray(entry['args']) ? entry['args'] : [])].map(String);
  return { ...entry, command: 'sh', args: ['-c', `echo started >> '${file}'; exec "$@"`, 'sh', ...words] };
}
