import { isObject } from '../../base/json.ts';
import { messageOf, PlugError, type Owner } from '../../base/errors.ts';
import type { Faults } from '../sql/run.ts';

/** Transient SQLSTATE codes: shutdown, crash, starting up, deadlock, serialization, connections. */
const TRANSIENT = /^(57P0[123]|40P01|40001|53300|08.{3})$/;

export function postgresFaults({ shown, secrets }: PostgresAddress): Faults {
  return {
    isTransient,
    toPlugError: (error) => {
      const message = messageOf(error) || codeOf(error);
      const said = secrets.reduce((text, secret) => text.replaceAll(secret, '[secret]'), message);
      const [sentence, owner, remedy] = explain(error, shown, said);
      const details = { database: shown, code: codeOf(error) };
      // The foreign error is not kept as the cause: it may know how the connection was made.
      return new PlugError('storage_failed', sentence, { owner, remedy, details });
    },
  };
}

export function isTransient(error: unknown): boolean {
  return isConnectionFault(error) || TRANSIENT.test(codeOf(error));
}

/** An address as it may be shown, and the passwords in it. */
export interface PostgresAddress {
  readonly shown: string;
  readonly secrets: readonly string[];
}

/** An error that the server did not send comes from the network. */
export function isConnectionFault(error: unknown): boolean {
  return !(isObject(error) && typeof error['severity'] === 'string');
}

function codeOf(error: unknown): string {
  return isObject(error) && typeof error['code'] === 'string' ? error['code'] : '';
}

function explain(error: unknown, shown: string, said: string): [string, Owner, remedy?: string] {
  const code = codeOf(error);
  if (isConnectionFault(error)) {
    return [
      `The database ${shown} cannot be reached: ${said}.`,
      'network',
      'Check that PostgreSQL runs there, and that its address has user and password.',
    ];
  }
  if (code.startsWith('28')) {
    const remedy = 'Check user and password in the address of the database.';
    return [`The database ${shown} refused the sign-in: ${said}.`, 'you', remedy];
  }
  if (code === '3D000') return [`There is no such database: ${shown}.`, 'you', 'Create it: createdb NAME'];
  if (code === '42501') {
    return [
      `The database ${shown} does not let this user in far enough: ${said}.`,
      'you',
      'Let the user create a schema: grant create on database NAME to USER',
    ];
  }
  return [`The database ${shown} failed: ${said}.`, 'plugboard'];
}
