import { Help, type Command } from 'commander';
import type { EventEmitter } from 'node:events';
import { examples, remarks } from './examples.ts';

const plain = new Help();

/** The list of all commands shows a name and one short line each. */
export const listing: {
  readonly subcommandTerm: (command: Command) => string;
  readonly subcommandDescription: (command: Command) => string;
} = {
  subcommandTerm: (command) => (isTop(command) ? command.name() : plain.subcommandTerm(command)),
  subcommandDescription: (command) =>
    (isTop(command) ? SUMMARIES[command.name()] : undefined) ?? plain.subcommandDescription(command),
};

function isTop(command: Command): boolean {
  return command.parent?.parent === null;
}

const SUMMARIES: Readonly<Record<string, string>> = {
  add: 'Plug in a server: anything that names one.',
  trust: 'Let what reads on a server run without asking.',
  tools: 'What can be called; switch, approve and review single tools.',
  call: 'Call a tool; its server starts by itself.',
  import: 'Take over servers from other clients.',
  parse: 'Say what is in a config, command, link or screenshot.',
  connect: "Write Plugboard into a client's config.",
  export: "Print a server in a client's own format, or as links.",
  rules: 'Rules over calls and data, and the defaults.',
  status: 'One line; with a name: all about that server.',
  audit: 'Every call: by whom, what decided, how it ended.',
  logs: 'What servers wrote to stderr.',
  auth: 'Sign in to a server, and out.',
  gateway: 'Serve all servers to an MCP host on stdio.',
  host: 'Hosts that come by address, each with a token.',
  'read-only': 'Let only what reads run: everywhere, or on a server.',
  hub: 'The process that owns the servers.',
  config: 'Where files live, and every setting.',
  deny: 'Refuse a call that waits.',
  profile: 'Named subsets of servers and tools.',
};

/** Puts the examples of the table into the help of each command that shows none of its own. */
export function addExamples(command: Command, path = ''): void {
  const lines = examples[path];
  // A command with its own examples keeps them. It is an event emitter, which its types don't say.
  const own = (command as unknown as EventEmitter).listenerCount('afterHelp');
  if (lines && own === 0) {
    const remark = remarks[path] === undefined ? '' : `\n\n${remarks[path]}`;
    command.addHelpText('after', `\nExamples:\n${lines.map((line) => `  ${line}`).join('\n')}${remark}`);
  }
  command.helpCommand(false); // plug help is the one way to it
  for (const child of command.commands)
    addExamples(child, path === '' ? child.name() : `${path} ${child.name()}`);
}
