import type { Challenge } from '../../servers/plans/probe.ts';
import type { MetadataClientOptions } from '../../connections/sign-in/metadata-fetch.ts';

/** The code for signing in is large: it is loaded when a server turns us away. */
export async function offersSignIn(options: MetadataClientOptions, challenge: Challenge): Promise<boolean> {
  const { findsSignIn } = await import('../../connections/sign-in/finds-sign-in.ts');
  return findsSignIn(options, challenge);
}
