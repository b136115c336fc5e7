import type { Hub, ModelView } from '../../hub/hub.ts';
import { unknownWord, userError } from '../failures.ts';
import { unknownServer } from '../session.ts';
import type { Conversation } from './conversation.ts';

export async function findModel(hub: Hub, name: string | undefined): Promise<ModelView | undefined> {
  const models = await hub.models.list();
  const found = models.find((model) => (name === undefined ? model.isDefault : model.name === name));
  if (found || name === undefined) return found ?? models[0];
  throw unknownWord(`There is no model “${name}”.`, {
    word: name,
    known: models.map((model) => model.name),
    remedy: models.length > 0 ? { do: 'show', what: 'models' } : { do: 'add-model' },
  });
}

export async function ensureModel(hub: Hub, conversation: Conversation): Promise<void> {
  if (conversation.choices.model !== undefined) return;
  const model = await findModel(hub, undefined);
  if (model) return conversation.choose({ model: model.name });
  const remedy = {
    do: 'type',
    line: 'plug model add, such as plug model add local ollama llama3.2',
  } as const;
  throw userError('missing_input', 'No model is set up yet. Your message is kept.', {
    remedy,
  });
}

export function modelText({ name, model }: ModelView): string {
  return name === model ? name : `${name} (${model})`;
}

/** The servers of these ids or names, each of which is there: a misspelt restriction must not widen. */
export async function checkServers(hub: Hub, names: readonly string[]): Promise<readonly string[]> {
  const { servers } = await hub.servers.list();
  return names.map((name) => {
    const wanted = name.toLowerCase();
    const found =
      servers.find(({ id }) => id === wanted) ??
      servers.find((server) => server.name.toLowerCase() === wanted);
    if (found) return found.id;
    throw unknownServer(name, servers);
  });
}
