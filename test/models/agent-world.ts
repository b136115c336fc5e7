import { openAgent, type AgentOptions } from '../../src/agent/open-agent.ts';
import type { Agent } from '../../src/hub/agent.ts';
import type { ChatEvent, ChatMessage, ChatOutcome, ChatRequest, Hub, ModelView } from '../../src/hub/hub.ts';
import { LOCAL } from '../../src/hub/principal.ts';
import { withHub, type TestHub, type TestHubOptions } from '../scenarios/lifecycle-hub.ts';
import { startScriptedModel, type ScriptedModel } from './scripted-model.ts';

export interface AgentWorld extends TestHub {
  readonly model: ScriptedModel;
  /** Opens the agent on a client of its own, so that whoever holds the hub may answer. */
  readonly agent: (options?: AgentOptions, view?: Partial<ModelView>) => Promise<Agent>;
  /** One turn with everything that happened in it. */
  readonly say: (said: string | Partial<ChatRequest>, options?: SayOptions) => Promise<Said>;
}

export interface SayOptions extends AgentOptions {
  readonly view?: Partial<ModelView>;
  readonly signal?: AbortSignal;
  readonly onEvent?: (event: ChatEvent) => void;
}

export interface Said {
  readonly outcome: ChatOutcome;
  readonly events: readonly ChatEvent[];
  readonly text: string;
}

/** Retries after moments instead of seconds. */
export const QUICK = { retryBaseMs: 1, retryMaxMs: 5 } as const;

/** A hub, a scripted model, and an agent between them. */
export async function withAgent(
  options: TestHubOptions,
  run: (world: AgentWorld) => Promise<void>,
): Promise<void> {
  await using model = await startScriptedModel();
  await withHub(options, async (test) => {
    const agent = (given: AgentOptions = {}, view: Partial<ModelView> = {}): Promise<Agent> =>
      openAgent(
        withModel(
          test.hub.as({ id: 'agent.test', kind: 'library', name: 'plug chat', principal: LOCAL }),
          model,
          view,
        ),
        {
          ...given,
          limits: { ...QUICK, ...given.limits },
        },
      );
    const say: AgentWorld['say'] = async (said, { view, signal, onEvent, ...given } = {}) => {
      const events: ChatEvent[] = [];
      const request =
        typeof said === 'string' ? { messages: [user(said)] } : { messages: [user('Hi')], ...said };
      const outcome = await (
        await agent(given, view)
      ).chat.turn(request, {
        ...(signal ? { signal } : {}),
        onProgress: (event) => {
          events.push(event);
          onEvent?.(event);
        },
      });
      return { outcome, events, text: textIn(events) };
    };
    await run({ ...test, model, agent, say });
  });
}

export function user(text: string): ChatMessage {
  return { role: 'user', content: text };
}

function textIn(events: readonly ChatEvent[]): string {
  return events.map((event) => (event.kind === 'text' ? event.text : '')).join('');
}

/** The hub with one model, whose key nobody needs. */
function withModel(hub: Hub, model: ScriptedModel, more: Partial<ModelView>): Hub {
  const view: ModelView = {
    name: 'test',
    provider: 'compatible',
    model: 'scripted',
    url: more.provider === 'google' ? model.googleUrl : model.url,
    isDefault: true,
    hasKey: false,
    ...more,
  };
  return {
    ...hub,
    models: { ...hub.models, open: () => Promise.resolve({ view, fetch: globalThis.fetch }) },
  };
}
