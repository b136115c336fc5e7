import { namesSecret } from '../../base/secret-names.ts';
import type { DoctorRow } from '../hub.ts';
import type { Patient } from './patient.ts';
import { beyondFailure } from './recorded.ts';
import { fail, pass, warn } from './rows.ts';

/** Whether the server lets us in: a key that it rejects is another thing than a sign-in that is due. */
export async function lookAtAuth(patient: Patient): Promise<readonly DoctorRow[]> {
  const { state, id, visit, pooled, manifest } = patient;
  const { core } = visit;
  const account = await core.accounts.find(core.owner, id);
  const key = keyHeader(patient);
  if (state.kind === 'needs-sign-in') {
    if (key !== undefined) {
      const next = await keyAdvice(patient, key);
      return [
        fail('auth', `It rejected the key in ${key}: check your key.`, {
          ...NEEDED,
          next,
          details: [state.reason],
        }),
      ];
    }
    const says = account
      ? `The sign-in of ${account.displayName ?? account.account} has ended, or was refused: ${state.reason}`
      : state.reason;
    return [fail('auth', says, { ...NEEDED, next: state.next ?? `plug auth ${id}` })];
  }
  const beyond = beyondFailure(patient, 'auth');
  if (beyond) return [beyond];
  if (account) return [pass('auth', `Signed in as ${account.displayName ?? account.account}.`)];
  if (key !== undefined) return [pass('auth', `It is given a key in ${key}.`)];
  if (pooled.definition.auth === 'oauth' && !manifest) {
    return [
      warn('auth', 'It wants a sign-in, and nobody has signed in yet.', {
        ...NEEDED,
        next: `plug auth ${id}`,
      }),
    ];
  }
  return [pass('auth', manifest ? 'It lets us in.' : 'No sign-in is known to be needed.')];
}

const NEEDED = { cause: 'sign_in_needed', owner: 'you' } as const;

/** The header that carries a key, if one does. */
function keyHeader({ pooled: { definition } }: Patient): string | undefined {
  const { endpoint } = definition;
  if (endpoint.kind === 'stdio') return undefined;
  return Object.keys(endpoint.headers).find(
    (name) => namesSecret(name) || name.toLowerCase() === 'authorization',
  );
}

async function keyAdvice(patient: Patient, header: string): Promise<string> {
  const resolved = await patient.resolved();
  const name = resolved.kind === 'ok' ? resolved.secrets[0] : undefined;
  if (name !== undefined) return `plug secrets set ${name}`;
  const { file } = patient.server.definition.source;
  return file === undefined ? `plug add it again with another ${header}` : `Correct ${header} in ${file}.`;
}
