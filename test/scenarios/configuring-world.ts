import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openAgent } from '../../src/agent/open-agent.ts';
import type {
  ChatMessage,
  ConfiguringEvent,
  ConfiguringOutcome,
  ConfiguringRequest,
  Deed,
  Proposal,
} from '../../src/hub/hub.ts';
import { withNote } from '../../src/agent/setup-agent/state.ts';
import { QUICK, user } from '../models/agent-world.ts';
import { startScriptedModel, type ScriptedModel } from '../models/scripted-model.ts';
import { withHub, type TestHub, type TestHubOptions } from './lifecycle-hub.ts';
import { listen, officialApi, registriesAt, type ListedServer, type Listener } from './registry-listener.ts';

export interface ConfiguringWorld extends TestHub {
  readonly model: ScriptedModel;
  readonly registry: Listener;
  /** One turn after what was said before, with everything that happened in it. */
  readonly say: (text: string, options?: SayOptions) => Promise<Told>;
  /** Something that the face did, as a click on a card does. */
  readonly fact: (text: string, ...done: readonly Deed[]) => void;
  /** All that was said, as the face keeps it. */
  readonly transcript: () => string;
  /** Begins a new conversation. */
  readonly anew: () => void;
  /** Everything the model was sent, as one text. */
  readonly heard: () => string;
}

export interface SayOptions {
  readonly model?: string;
  readonly signal?: AbortSignal;
  readonly onEvent?: (event: ConfiguringEvent) => void;
}

export interface Told {
  readonly outcome: ConfiguringOutcome;
  readonly events: readonly ConfiguringEvent[];
  readonly text: string;
  readonly proposals: readonly Proposal[];
}

export interface ConfiguringOptions extends TestHubOptions {
  /** What the registry lists. */
  readonly listed?: readonly ListedServer[];
  readonly withModel?: boolean;
}

/** A hub, a registry, and a conversation about servers, with a scripted model or without one. */
export async function withConfiguring(
  { listed = [], withModel = true, env = {}, ...options }: ConfiguringOptions,
  run: (world: ConfiguringWorld) => Promise<void>,
): Promise<void> {
  await using model = await startScriptedModel();
  const registry = await listen(officialApi(listed));
  const known = { PLUG_NO_KEYRING: '1', ...registriesAt({ official: registry.url }), ...env };
  await withHub({ ...options, env: known }, async (test) => {
    const { hub } = test;
    if (withModel) {
      await hub.models.save({ name: 'fast', provider: 'compatible', model: 'scripted', url: model.url });
    }
    const { configuring } = await openAgent(hub, { limits: QUICK });
    let messages: readonly ChatMessage[] = [];
    const say: ConfiguringWorld['say'] = async (text, { model: name, signal, onEvent } = {}) => {
      const events: ConfiguringEvent[] = [];
      const said = [...messages, user(text)];
      const request: ConfiguringRequest = { messages: said, ...(name === undefined ? {} : { model: name }) };
      const outcome = await configuring.turn(request, {
        ...(signal ? { signal } : {}),
        onProgress: (event) => {
          events.push(event);
          onEvent?.(event);
        },
      });
      const kept = outcome.said?.forget ? [...messages, user(outcome.said.shown)] : said;
      messages = [...kept, ...outcome.messages];
      return { outcome, events, text: textIn(events), proposals: outcome.proposals };
    };
    await run({
      ...test,
      model,
      registry,
      say,
      fact: (words, ...done) => {
        const message: ChatMessage = { role: 'assistant', content: words };
        const about = done.map(({ server }) => server);
        messages = [...messages, withNote(message, { plain: true, fact: true, done, about })];
      },
      transcript: () => JSON.stringify(messages),
      anew: () => {
        messages = [];
      },
      heard: () => model.requests.map(({ body, headers }) => JSON.stringify([body, headers])).join('\n'),
    });
  });
}

function textIn(events: readonly ConfiguringEvent[]): string {
  return events.map((event) => (event.kind === 'text' ? event.text : '')).join('');
}

/** What the tools did, as a person reads it. */
export function rowsOf(events: readonly ConfiguringEvent[]): readonly string[] {
  return events.flatMap((event) =>
    event.kind === 'tool-start'
      ? [`${event.tool}: ${event.says}`]
      : event.kind === 'tool-end'
        ? [`${event.outcome}: ${event.says}`]
        : [],
  );
}

/** A config of a server that works only with exactly this key. */
export function keyedConfig(folder: string, key: string): string {
  const file = join(folder, 'expected-key.txt');
  writeFileSync(file, key);
  const program = fileURLToPath(new URL('seen-key-server.ts', import.meta.url));
  const weather = { command: process.execPath, args: [program, file], env: { WEATHER_API_KEY: key } };
  return JSON.stringify({ mcpServers: { weather } }, null, 2);
}

export function installIn(proposals: readonly Proposal[]): Extract<Proposal, { readonly kind: 'install' }> {
  const found = proposals.find(({ kind }) => kind === 'install');
  if (found?.kind !== 'install') throw new Error(`No installation is proposed: ${JSON.stringify(proposals)}`);
  return found;
}
