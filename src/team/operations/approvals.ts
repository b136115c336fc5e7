import { badField, textIn, type Input } from '../requests.ts';
import { CALLERS, type Asked, type TeamOperation } from './operation.ts';

/** Calls of others that wait for somebody of the team, such as an admin. */
export const approvalOperations: Readonly<Record<string, TeamOperation>> = {
  'GET /v1/team/approvals': { roles: CALLERS, run: list },
  'PUT /v1/team/approvals/:id': { roles: CALLERS, run: answer },
};

async function list({ team, person }: Asked): Promise<unknown> {
  const waiting = await team.approvals.list(person);
  return await Promise.all(
    waiting.map(async ({ approval, person: id }) => {
      const by = await team.people.find(id);
      return { approval, by: by ? { name: by.name, email: by.email } : undefined };
    }),
  );
}

async function answer({ team, person, input, id }: Asked): Promise<unknown> {
  const argsHash = textIn(input, 'argsHash');
  const note = noteIn(input);
  const given = { id, effect: effectIn(input), argsHash, ...(note === undefined ? {} : { note }) };
  return { outcome: await team.approvals.answer(person, given, team.spaces) };
}

function effectIn({ effect }: Input): 'allow' | 'deny' {
  if (effect === 'allow' || effect === 'deny') return effect;
  throw badField('effect');
}

function noteIn(input: Input): string | undefined {
  return input['note'] === undefined ? undefined : textIn(input, 'note', NOTE_CHARS_MAX);
}

const NOTE_CHARS_MAX = 2_000;
