import { PlugError } from '../base/errors.ts';

/** The socket is there, in a folder that only another user may enter. */
export function otherUsersHub(cause: unknown, socket?: string): PlugError {
  const where = socket === undefined ? '' : ` at ${socket}`;
  return new PlugError('denied', `The hub${where} belongs to another user.`, {
    owner: 'you',
    remedy: 'To use a hub of your own, unset PLUG_HOME, or set it to a folder of yours.',
    cause,
  });
}
