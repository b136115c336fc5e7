import { isObject } from '../base/json.ts';
import { showsQuestion } from '../connections/host-answers.ts';
import type { HostHandler, HostHandlers } from '../connections/host.ts';
import type { Host } from '../connections/pool.ts';
import type { Client } from './client.ts';

/** A person is in front of these; a library may be any program. */
export function isFace({ kind }: Client): boolean {
  return kind === 'terminal' || kind === 'page' || kind === 'editor';
}

/**
 * What a host answers, and for what it cannot, the people at our own faces: a server may ask them in the
 * terminal, on the page or in Emacs. The first answer decides.
 */
export function withPeople(hosts: ReadonlyMap<string, Host>, own: HostHandlers): HostHandlers {
  const { capabilities, elicitation, sampling } = own;
  // Without a declaration it is one of our faces, or a program of the owner's.
  if (!capabilities) return own;
  const faces: HostHandlers[] = [];
  for (const host of hosts.values()) if (host.isFace) faces.push(host.handlers);
  if (faces.length === 0) return own;
  const ask = asker(faces, 'elicitation');
  const sample = sampling ? undefined : asker(faces, 'sampling');
  if (!ask && !sample) return own;
  const asked: HostHandler | undefined =
    ask &&
    ((request, options) =>
      elicitation && showsQuestion(capabilities, request)
        ? elicitation(request, options)
        : ask(request, options));
  const said = capabilities['elicitation'];
  return {
    ...own,
    ...(asked ? { elicitation: asked } : {}),
    ...(sample ? { sampling: sample } : {}),
    capabilities: {
      ...capabilities,
      ...(ask ? { elicitation: { form: {}, url: {}, ...(isObject(said) ? said : {}) } } : {}),
      ...(sample ? { sampling: {} } : {}),
    },
  };
}

/** Undefined where nobody is there to be asked. */
function asker(faces: readonly HostHandlers[], kind: 'elicitation' | 'sampling'): HostHandler | undefined {
  const able = faces.flatMap((face) => face[kind] ?? []);
  if (able.length === 0) return undefined;
  return async (request, { signal }) => {
    const over = new AbortController();
    const options = { signal: AbortSignal.any([signal, over.signal]) };
    try {
      return await Promise.any(able.map((ask) => ask(request, options)));
    } catch (error) {
      throw error instanceof AggregateError ? error.errors[0] : error;
    } finally {
      over.abort(new Error('The question was answered elsewhere.'));
    }
  };
}
