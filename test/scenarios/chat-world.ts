import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished } from 'vitest';
import { startScriptedModel, type ScriptedModel } from '../models/scripted-model.ts';
import { waitFor } from '../servers/start.ts';
import { temporaryFolder } from '../servers/temporary-folder.ts';
import { descendantsOf, newPlug, type Plug } from './plug-command.ts';
import { startInTerminal, type Typing } from './typed-plug.ts';

export const LONG_MS = 60_000;

export interface ChatWorld {
  readonly plug: Plug;
  readonly model: ScriptedModel;
  /** What the tools of the server `notes` were asked to do. */
  readonly log: () => string;
  /** A chat in a terminal of its own, once it asks for a message. */
  readonly chat: (...argv: readonly string[]) => Promise<Chat>;
}

/** A chat as somebody sits before it. */
export interface Chat extends Typing {
  /** Resolves once this is shown after everything that was waited for before. */
  readonly shows: (pattern: RegExp) => Promise<string>;
  /** The terminal gets as many columns. */
  readonly resize: (columns: number) => Promise<void>;
  readonly shown: () => string;
}

/** A `plug` with a model that says what is scripted, and the server of chat-server.ts as `notes`. */
export async function openChatWorld({
  rules = 'permissive' as const,
  withModel = true,
}: { readonly rules?: 'permissive' | 'shipped'; readonly withModel?: boolean } = {}): Promise<ChatWorld> {
  const plug = newPlug({ PLUG_NO_KEYRING: '1' }, { rules });
  const folder = temporaryFolder();
  const model = await startScriptedModel();
  onTestFinished(() => model.close());
  const server = fileURLToPath(new URL('chat-server.ts', import.meta.url));
  expect((await plug('add', 'notes', '--yes', '--', process.execPath, server, folder)).code).toBe(0);
  if (withModel) {
    const added = await plug('model', 'add', 'fast', 'compatible', 'scripted', '--url', model.url);
    expect([added.code, added.stderr]).toEqual([0, '']);
  }
  const file = join(folder, 'log.txt');
  return {
    plug,
    model,
    log: () => (existsSync(file) ? readFileSync(file, 'utf8') : ''),
    chat: async (...argv) => {
      const chat = sitBefore(startInTerminal(plug, ['chat', ...argv], { NO_COLOR: '1' }));
      // One that still runs would hold the hub.
      onTestFinished(async () => {
        chat.child.kill();
        await chat.answer;
      });
      await chat.shows(PROMPT);
      return chat;
    },
  };
}

export const PROMPT: RegExp = /› /;

/** What the model was sent in its request of this number, from the end. */
export function lastRequest({ requests }: ScriptedModel): string {
  return JSON.stringify(requests.at(-1)?.body['messages']);
}

function sitBefore(typing: Typing): Chat {
  let all = '';
  let seen = 0;
  typing.child.stdout?.on('data', (chunk: Buffer) => (all += chunk.toString()));
  return {
    ...typing,
    shown: () => all,
    shows: async (pattern) => {
      let found: RegExpExecArray | null = null;
      try {
        await waitFor(() => (found = pattern.exec(all.slice(seen))) !== null, 20_000);
      } catch (cause) {
        throw new Error(`It did not show ${String(pattern)}, but: ${JSON.stringify(all.slice(seen))}`, {
          cause,
        });
      }
      const match = found as unknown as RegExpExecArray; // waited for
      seen += match.index + match[0].length;
      return match[1] ?? match[0];
    },
    resize: async (columns) => {
      const { pid = 0 } = typing.child;
      await waitFor(() => descendantsOf(pid).some((one) => terminalOf(one) !== undefined));
      const terminal = descendantsOf(pid).flatMap((one) => terminalOf(one) ?? [])[0] ?? '';
      execFileSync('stty', ['-F', terminal, 'cols', String(columns), 'rows', '24']);
    },
  };
}

function terminalOf(pid: number): string | undefined {
  try {
    const target = readlinkSync(`/proc/${pid}/fd/0`);
    return target.startsWith('/dev/pts/') ? target : undefined;
  } catch {
    return undefined; // it has gone
  }
}
