import type { Clock } from '../base/clock.ts';
import type { ServerDefinition } from '../servers/definition.ts';
import type { Redaction } from './redaction.ts';

export interface FollowedEntriesOptions {
  readonly clock: Clock;
  readonly home: string;
  readonly redactor: Redaction;
}

/**
 * A definition as the file of its client has it now, where it follows one. The parsers of all those
 * formats are loaded only then.
 */
export function followedEntries({
  clock,
  home,
  redactor,
}: FollowedEntriesOptions): (definition: ServerDefinition) => Promise<ServerDefinition> {
  const open = async (): Promise<(definition: ServerDefinition) => Promise<ServerDefinition>> => {
    const [{ FollowedFiles }, { takeKeys }] = await Promise.all([
      import('../servers/clients/follow.ts'),
      import('../servers/clients/plaintext-keys.ts'),
    ]);
    const files = new FollowedFiles({ clock, home });
    return async (definition) => {
      const current = await files.resolve(definition);
      // Such an entry may hold its keys readable: they stay out of whatever is shown.
      if (current !== definition)
        for (const { value } of takeKeys(current).keys) redactor.learn(value.reveal());
      return current;
    };
  };
  let opened: ReturnType<typeof open> | undefined;
  return async (definition) =>
    definition.follow === undefined ? definition : (await (opened ??= open()))(definition);
}
