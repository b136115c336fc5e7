import { PlugError } from '../base/errors.ts';

/** A part of the Hub that only the gateway needs, which lives in the hub's own process. */
export function inProcessOnly(operation: string): Promise<never> {
  const message = `${operation} is not there over HTTP: it is for the gateway, in the hub's own process.`;
  return Promise.reject(new PlugError('unsupported', message, { owner: 'you', next: 'plug gateway' }));
}
