import { hasCode, PlugError } from '../base/errors.ts';

type Team = typeof import('./run-team.ts');

/** Everything of a team, with packages that a hub of one user does without. */
export async function loadTeam(load: () => Promise<Team> = () => import('./run-team.ts')): Promise<Team> {
  try {
    return await load();
  } catch (cause) {
    if (!hasCode(cause, 'ERR_MODULE_NOT_FOUND')) throw cause;
    throw new PlugError('bad_config', 'A team needs packages that are not installed.', {
      owner: 'you',
      remedy: { do: 'run', line: INSTALL },
      cause,
    });
  }
}

const INSTALL =
  'npm install pg better-auth@1.7.5 @better-auth/api-key@1.7.5 @better-auth/oauth-provider@1.7.5';
