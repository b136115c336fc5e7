import type { EventEmitter } from 'node:events';
import type { Command } from 'commander';
import { examples, remarks } from './examples.ts';

/** Puts the examples of the table into the help of each command that shows none of its own. */
export function addExamples(command: Command, path = ''): void {
  const lines = examples[path];
  // A part of the grammar that brings examples of its own keeps them.
  // A command is an emitter of events, which its types do not say.
  const own = (command as unknown as EventEmitter).listenerCount('afterHelp');
  if (lines && own === 0) {
    const remark = remarks[path] === undefined ? '' : `\n\n${remarks[path]}`;
    command.addHelpText('after', `\nExamples:\n${lines.map((line) => `  ${line}`).join('\n')}${remark}`);
  }
  command.helpCommand(false); // plug help is the one way to it
  for (const child of command.commands)
    addExamples(child, path === '' ? child.name() : `${path} ${child.name()}`);
}
