import { onTestFinished } from 'vitest';
import { connectHub } from '../../src/api/client.ts';
import { ignore } from '../../src/base/errors.ts';
import type { JsonObject } from '../../src/base/json.ts';
import type { Approval, ApprovalAnswer, CallResult, Hub } from '../../src/hub/hub.ts';
import { openHub, type HubOptions } from '../../src/hub/open-hub.ts';
import { startHub, temporaryPaths } from '../contracts/running-hub.ts';
import { played, type Played, type PlayedTool } from './calls-played.ts';

interface World {
  readonly notes: Played;
  /** Where the rules file is. */
  readonly config: string;
  /** Another client of the same hub: with an id of its own, and maybe a folder. */
  readonly connect: (kind?: 'terminal' | 'library', folder?: string) => Hub;
  /** A call that waits for somebody, and its card. */
  readonly ask: (by: Hub, args?: JsonObject, tool?: string) => Promise<Waiting>;
}

interface Waiting {
  readonly card: Approval;
  readonly answer: Promise<CallResult>;
}

/** A hub behind its socket, with the server `notes` and nobody who answers by themselves. */
export async function openWorld(
  tools: readonly PlayedTool[],
  more: Partial<HubOptions> = {},
): Promise<World> {
  const paths = temporaryPaths();
  const env = { PATH: process.env['PATH'], PLUG_NO_KEYRING: '1' };
  const open = (): ReturnType<typeof openHub> =>
    openHub({ paths, cwd: paths.state, env, version: '1.0.0', ...more });
  const { send } = await startHub(open, { paths });
  const connect: World['connect'] = (kind = 'library', folder) => {
    const hub = connectHub(send, { kind, ...(folder === undefined ? {} : { folder }) });
    onTestFinished(() => hub.close());
    return hub;
  };
  const notes = played('notes', ...tools);
  if (tools.length > 0) await connect().servers.add({ definition: notes.definition });
  const ask: World['ask'] = (by, args = {}, tool = 'notes/create_note') => waitingCall(by, tool, args);
  return { notes, config: paths.config, connect, ask };
}

export async function waitingCall(by: Hub, tool: string, args: JsonObject): Promise<Waiting> {
  const { promise, resolve, reject } = Promise.withResolvers<Approval>();
  const answer = by.tools.call({ tool, args, approval: 'wait' }, { onApproval: resolve });
  // One that ends without a question would leave the test waiting.
  ignore(
    answer.then(() => reject(new Error('nobody was asked')), reject),
    'each test looks at the answer',
  );
  return { card: await promise, answer };
}

/** A rule as it stands in a rules file. */
export function rule(effect: 'allow' | 'ask' | 'deny', name: string, about: JsonObject): JsonObject {
  // oxlint-disable-next-line unicorn/no-thenable -- the word of the rules file
  return { name, ...about, then: effect };
}

export function yes({ argsHash }: Approval): ApprovalAnswer {
  return { effect: 'allow', argsHash };
}

export function no({ argsHash }: Approval, note: string): ApprovalAnswer {
  return { effect: 'deny', argsHash, note };
}
