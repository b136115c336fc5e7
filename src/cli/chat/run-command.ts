import { CommanderError } from 'commander';
import type { Hub } from '../../hub/hub.ts';
import { buildProgram, usageError } from '../program.ts';
import type { Session } from '../session.ts';
import type { RunCommand } from './mcp.ts';

/** A command of `plug`, with its own grammar, on the hub and at the terminal of the chat. */
export function commandRunner(hub: Hub, session: Session): RunCommand {
  // A command lets go of its hub when it is done; the chat still needs it.
  const shared: Hub = {
    ...hub,
    close: () => Promise.resolve(),
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
  const here: Session = { ...session, hubs: { ...session.hubs, connect: () => Promise.resolve(shared) } };
  return async (argv) => {
    const program = await buildProgram({
      argv,
      version: '',
      width: session.out.width,
      write: (text) => session.terminal.stdout.write(text),
      act: async (work) => void (await work(here)),
      actOnHub: async (work) => void (await work(shared, here)),
    });
    try {
      await program.parseAsync([...argv], { from: 'user' });
    } catch (error) {
      if (!(error instanceof CommanderError)) throw error;
      const failure = usageError(error, argv);
      if (failure) throw failure;
    }
  };
}
