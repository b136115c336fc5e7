import { validateAuthorizationResponseIssuer } from '@modelcontextprotocol/client';
import type { Clock } from '../../base/clock.ts';
import { PlugError, type Owner } from '../../base/errors.ts';
import type { Limits } from '../../base/limits.ts';
import type { AuthorizationServer } from './sign-in.ts';

export interface WaitOptions {
  readonly server: string;
  /** The address that the browser ended at, when the person pastes it (no browser on this machine). */
  readonly pasted?: Promise<string> | undefined;
  readonly clock: Clock;
  readonly limits: Limits;
  readonly signal?: AbortSignal | undefined;
  /** The command that tries again. */
  readonly next: string;
}

/** Whatever comes first: the browser, a pasted address, the end of our patience. */
export async function waitForAnswer(
  came: Promise<URLSearchParams>,
  { clock, limits, server, signal, pasted, next }: WaitOptions,
): Promise<URLSearchParams> {
  const done = new AbortController();
  const until = signal ? AbortSignal.any([signal, done.signal]) : done.signal;
  const timeout = clock.sleep(limits.signInTimeoutMs, until).then(() => {
    const minutes = Math.round(limits.signInTimeoutMs / 60_000);
    throw new PlugError('sign_in_needed', `Nobody signed in to ${server} within ${minutes} minutes.`, {
      owner: 'you',
      server,
      next,
    });
  });
  const byHand = pasted?.then((address) => {
    if (URL.canParse(address.trim())) return new URL(address.trim()).searchParams;
    throw new PlugError('usage', 'That is not the address that the browser ended at.', {
      owner: 'you',
      server,
      next,
    });
  });
  try {
    return await Promise.race([came, timeout, ...(byHand ? [byHand] : [])]);
  } catch (error) {
    if (!signal?.aborted) throw error;
    throw new PlugError('cancelled', `The sign-in at ${server} was cancelled.`, { owner: 'you', server });
  } finally {
    done.abort();
  }
}

export interface CheckOptions extends Pick<WaitOptions, 'server' | 'next'> {
  readonly state: string;
  readonly metadata: AuthorizationServer;
}

/** What the browser brought back: ours, from the right issuer, and not a refusal. */
export function checkAnswer(
  answer: URLSearchParams,
  { server, state, metadata, next }: CheckOptions,
): string {
  const refuse = (message: string, owner: Owner = 'server'): PlugError =>
    new PlugError('denied', message, { owner, server, next });
  if (answer.get('state') !== state) throw refuse(`The answer to the sign-in at ${server} was not for us.`);
  try {
    validateAuthorizationResponseIssuer({
      iss: answer.get('iss') ?? undefined,
      expectedIssuer: metadata.issuer,
      issParameterSupported: metadata['authorization_response_iss_parameter_supported'] === true,
    });
  } catch {
    // Its text is not repeated: on a mismatch it comes from somebody we do not know.
    throw refuse(`The answer to the sign-in at ${server} came from another issuer.`);
  }
  const error = answer.get('error');
  if (error === 'access_denied') throw refuse(`You did not let us into ${server}.`, 'you');
  if (error !== null) throw refuse(`The authorization server of ${server} refused: ${error.slice(0, 100)}.`);
  const code = answer.get('code');
  if (code === null) throw refuse(`The answer to the sign-in at ${server} has no code.`);
  return code;
}
