import { PlugError } from '../../base/errors.ts';
import { didYouMean, suggest } from '../../base/suggest.ts';
import type { Hub, ModelView } from '../../hub/hub.ts';
import { unknownServer } from '../session.ts';

/** The model to talk to: the named one, or the default; undefined when there is none at all. */
export async function findModel(hub: Hub, name: string | undefined): Promise<ModelView | undefined> {
  const models = await hub.models.list();
  const found = models.find((model) => (name === undefined ? model.isDefault : model.name === name));
  if (found || name === undefined) return found ?? models[0];
  const near = suggest(
    name,
    models.map((model) => model.name),
  );
  throw new PlugError('not_found', `There is no model “${name}”. ${didYouMean(near)}`.trim(), {
    owner: 'you',
    next: models.length > 0 ? 'plug model list' : NEXT,
    details: { suggestions: near },
  });
}

const NEXT = 'plug model add';

/** A message was typed and nobody is there to answer it. */
export function noModel(): PlugError {
  return new PlugError(
    'missing_input',
    'No model is set up yet, so nobody can answer. Your message is kept.',
    {
      owner: 'you',
      next: `${NEXT}, such as plug model add local ollama llama3.2`,
    },
  );
}

/** Names of servers, each of which is there. */
export async function checkServers(hub: Hub, names: readonly string[]): Promise<readonly string[]> {
  const known = (await hub.servers.list()).servers.map(({ id }) => id);
  const unknown = names.find((name) => !known.includes(name));
  if (unknown !== undefined) throw unknownServer(unknown, known);
  return names;
}
