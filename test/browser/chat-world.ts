import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import { defineServer } from '../../src/servers/definition.ts';
import { startScriptedModel, type ScriptedModel } from '../models/scripted-model.ts';
import { played, reading, writing, type Played } from '../scenarios/calls-played.ts';
import { temporaryFolder } from '../servers/temporary-folder.ts';
import { openPage, type PageOptions, type PageWorld } from './world.ts';

export const LONG_MS = 90_000;

export interface ChatPageWorld extends Omit<PageWorld, 'hub'> {
  /** As it is now: it is another one after a restart. */
  readonly hub: () => PageWorld['hub'];
  readonly model: ScriptedModel;
  readonly notes: Played;
  /** Types a message and sends it. */
  readonly say: (text: string) => Promise<void>;
}

/** The page at its chat, with a model that says what is scripted and the server `notes`. */
export async function openChat(options: PageOptions = {}): Promise<ChatPageWorld> {
  const model = await startScriptedModel();
  onTestFinished(() => model.close());
  const world = await openPage(options);
  const notes = played(
    'notes',
    reading('get_note', { text: 'Milk, eggs.' }),
    writing('create_note', { text: 'Written.' }),
  );
  await world.hub.servers.add({ definition: notes.definition });
  await world.hub.models.save({ name: 'fast', provider: 'compatible', model: 'scripted', url: model.url });
  await world.go('/chat');
  const { page } = world;
  const say = async (text: string): Promise<void> => {
    await page.getByRole('textbox', { name: 'Message' }).fill(text);
    await page.getByRole('button', { name: 'Send' }).click();
  };
  return { ...world, hub: () => world.hub, model, notes, say };
}

const asking = fileURLToPath(new URL('../scenarios/chat-server.ts', import.meta.url));

/** A server that asks its host in the midst of a call; what it was told stands in its log. */
export async function addAsking(hub: PageWorld['hub']): Promise<{ readonly log: () => string }> {
  const folder = temporaryFolder();
  const endpoint = { kind: 'stdio', command: process.execPath, args: [asking, folder], env: {} } as const;
  await hub.servers.add({ definition: defineServer({ id: 'asking', endpoint }) });
  const file = join(folder, 'log.txt');
  return { log: () => (existsSync(file) ? readFileSync(file, 'utf8') : '') };
}
