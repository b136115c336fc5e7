import { setupLimits } from './limits.ts';
import { switchServer } from './acts.ts';
import { proposeRemoval } from './servers.ts';
import { listed } from './sentences.ts';
import { doing, type Setup } from './setup.ts';
import type { Deed } from '../../hub/hub.ts';

/**
 * Takes back what the last turn did; what would lose something is asked for first. Undoing is no deed of its own:
 * “undo” again goes further back.
 */
export async function undoLast(setup: Setup): Promise<string> {
  const deeds = setup.state.deeds.at(-1) ?? [];
  if (deeds.length === 0)
    return 'I have not changed anything in this conversation, so there is nothing to undo.';
  const lines: string[] = [];
  for (const deed of deeds.toReversed().slice(0, setupLimits.proposalsMax))
    lines.push(await undo(setup, deed));
  setup.turn.undid = true;
  return lines.join('\n\n');
}

async function undo(setup: Setup, deed: Deed): Promise<string> {
  const { server } = deed;
  switch (deed.kind) {
    case 'disabled':
    case 'enabled': {
      const on = deed.kind === 'disabled';
      await switchServer(setup, server, on);
      return `**${server}** is ${on ? 'on' : 'off'} again.`;
    }
    case 'added': {
      const { credentials } = await proposeRemoval(setup, server);
      const lost = credentials.length === 0 ? '' : ` ${listed(credentials)} would be forgotten with it.`;
      return `Undoing this removes **${server}**.${lost} Shall I?`;
    }
    case 'removed':
      return restore(setup, deed);
    case 'signed-in':
      await setup.agent.hub.accounts.signOut({ server });
      setup.turn.spokeOf(server);
      return `You are signed out of **${server}** again.`;
    case 'key':
      setup.turn.spokeOf(server);
      return `The key of **${server}** was replaced, and the one before it is gone. Give me another key for it, or remove it.`;
    default:
      return deed satisfies never;
  }
}

function restore(setup: Setup, deed: Extract<Deed, { readonly kind: 'removed' }>): Promise<string> {
  const { server, definition, forgotten = [] } = deed;
  const says = `Adding ${server} again`;
  return doing(setup, { id: undefined, tool: 'undo', says }, async () => {
    if (await undoRemoval(setup, server)) {
      setup.turn.spokeOf(server);
      return { value: `**${server}** is back as it was.`, says: `Added ${server} again` };
    }
    if (definition === undefined) {
      return {
        value: `I no longer know how **${server}** was set up. Tell me what to connect.`,
        says: 'Not known',
      };
    }
    await setup.agent.hub.servers.add({ definition, test: false });
    setup.turn.spokeOf(server);
    const [secret] = forgotten;
    if (secret === undefined) return { value: `**${server}** is back.`, says: `Added ${server} again` };
    setup.proposals.add({ kind: 'key', server, secret });
    const keys = forgotten.length === 1 ? 'its key' : 'its keys';
    return {
      value: `**${server}** is back, but ${keys} (${listed(forgotten)}) can’t be restored. Enter the key again.`,
      says: `Added ${server} again, without ${keys}`,
    };
  });
}

/** The journal keeps a removed server with its keys; only the last change of all can be taken back. */
async function undoRemoval({ agent: { hub } }: Setup, server: string): Promise<boolean> {
  const [last] = await hub.changes.list();
  if (last?.kind !== 'remove' || !last.servers.includes(server)) return false;
  return (await hub.changes.undo({ change: last.id })).done;
}
