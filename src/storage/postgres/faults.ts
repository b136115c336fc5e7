import { isObject } from '../../base/json.ts';
import { messageOf, PlugError, type PlugErrorOptions } from '../../base/errors.ts';
import type { Faults } from '../sql/run.ts';

/** SQLSTATE codes that pass: shutdown, crash, starting up, deadlock, serialization, connections. */
const TRANSIENT = /^(57P0[123]|40P01|40001|53300|08.{3})$/;

export function postgresFaults(options: {
  readonly shown: string;
  readonly secrets: readonly string[];
}): Faults {
  const { shown, secrets } = options;
  return {
    isTransient: (error) => isConnectionFault(error) || TRANSIENT.test(codeOf(error)),
    toPlugError: (error) => {
      const said = hide(messageOf(error) || codeOf(error), secrets);
      const [sentence, advice] = explain({ error, shown, said });
      // The foreign error is not kept as the cause: it may know how the connection was made.
      return new PlugError('storage_failed', sentence, {
        ...advice,
        details: { database: shown, code: codeOf(error) },
      });
    },
  };
}

/** What the server did not say itself was said by the network, or by the lack of one. */
export function isConnectionFault(error: unknown): boolean {
  return !(isObject(error) && typeof error['severity'] === 'string');
}

function codeOf(error: unknown): string {
  return isObject(error) && typeof error['code'] === 'string' ? error['code'] : '';
}

function explain(fault: {
  readonly error: unknown;
  readonly shown: string;
  readonly said: string;
}): [string, PlugErrorOptions] {
  const { error, shown, said } = fault;
  const code = codeOf(error);
  if (isConnectionFault(error)) {
    return [
      `The database ${shown} cannot be reached: ${said}.`,
      {
        owner: 'network',
        remedy: 'Check that PostgreSQL runs there, and that its address has user and password.',
      },
    ];
  }
  if (code.startsWith('28')) {
    return [
      `The database ${shown} refused the sign-in: ${said}.`,
      {
        owner: 'you',
        remedy: 'Check user and password in the address of the database.',
      },
    ];
  }
  if (code === '3D000') {
    return [`There is no such database: ${shown}.`, { owner: 'you', remedy: 'Create it: createdb NAME' }];
  }
  if (code === '42501') {
    return [
      `The database ${shown} does not let this user in far enough: ${said}.`,
      {
        owner: 'you',
        remedy: 'Let the user create a schema: grant create on database NAME to USER',
      },
    ];
  }
  return [`The database ${shown} failed: ${said}.`, { owner: 'plugboard' }];
}

function hide(text: string, secrets: readonly string[]): string {
  return secrets.reduce((shown, secret) => shown.replaceAll(secret, '[secret]'), text);
}
