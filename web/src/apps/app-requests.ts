import { isObject } from '../../../src/base/json.ts';
import type { AppOfCall } from '../chat/conversation.ts';
import type { Approval, Hub, JsonObject } from '../hub/hub-context.tsx';
import { appHub } from './app-hub.ts';

interface Asking {
  readonly hub: Hub;
  readonly app: AppOfCall;
  readonly onApproval: (approval: Approval) => void;
}

/** What an app is told when it may not do something; the code is JSON-RPC's. */
export class Refused extends Error {
  readonly code: number;

  constructor(message: string, code: number) {
    super(message);
    this.code = code;
  }
}

/** Calls a tool of the app's own server. It asks as a program: the person at the page may be asked. */
export async function callForApp({ hub, app, onApproval }: Asking, params: JsonObject): Promise<JsonObject> {
  const { name, arguments: args } = params;
  const { tools } = await hub.tools.list({ server: app.server });
  const tool = tools.find((each) => each.name === name);
  if (!tool || !isForApps(tool.definition)) {
    throw new Refused('This app’s server has no such tool for apps.', -32_602);
  }
  const asApp = await appHub();
  const { result } = await asApp.tools.call(
    {
      tool: tool.ref,
      args: isObject(args) ? args : {},
      approval: 'wait',
    },
    { onApproval },
  );
  return result;
}

export function readForApp(
  { hub, app }: Omit<Asking, 'onApproval'>,
  params: JsonObject,
): Promise<JsonObject> {
  const { uri } = params;
  if (typeof uri !== 'string') throw new Refused('A resource is read by its uri.', -32_602);
  return hub.resources.read({ server: app.server, uri });
}

/** `_meta.ui.visibility` says who may see a tool; without it, models and apps may. */
function isForApps({ _meta: meta }: JsonObject): boolean {
  const ui = isObject(meta) ? meta['ui'] : undefined;
  const visibility = isObject(ui) ? ui['visibility'] : undefined;
  return !Array.isArray(visibility) || visibility.includes('app');
}
