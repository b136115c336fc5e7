import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Clock } from '../../base/clock.ts';
import { PlugError } from '../../base/errors.ts';
import { teamLimits } from '../limits.ts';
import { bodyOf, FORWARDED_HEADER, MOVED_HEADER, type Forwarder } from './forward.ts';
import type { Home, Replica } from './replica.ts';

export interface RoutingOptions {
  readonly replica: Pick<Replica, 'homeOf' | 'isGone'>;
  readonly forwarder: Pick<Forwarder, 'send'>;
  /** Whose rows a request is about; undefined where any replica may answer it. */
  readonly ownerOf: (request: IncomingMessage) => Promise<string | undefined>;
  /** Where this replica listens, for what it has read already. */
  readonly ownAddress: string;
  /** Keeps what is here here until it is let go of; undefined where it was just handed over. */
  readonly arrive: (owner: string) => Promise<(() => void) | undefined>;
  readonly clock: Clock;
}

/** Every request is answered by the replica that holds the rows it is about, whichever it came to. */
export class Routing {
  readonly #options: RoutingOptions;

  constructor(options: RoutingOptions) {
    this.#options = options;
  }

  /** False for what is to be answered here. */
  async passOn(request: IncomingMessage, response: ServerResponse): Promise<boolean> {
    const { replica, ownerOf, arrive } = this.#options;
    const owner = await ownerOf(request);
    if (owner === undefined) return false;
    let home = await replica.homeOf(owner);
    for (; home.kind === 'here'; home = await replica.homeOf(owner)) {
      const letGo = await arrive(owner);
      if (!letGo) continue;
      if (response.closed) letGo();
      else response.once('close', letGo);
      return false;
    }
    if (request.headers[FORWARDED_HEADER] === undefined) await this.#send(request, response, { owner, home });
    else {
      // Whoever sent it on has seen an older home.
      request.resume();
      response.writeHead(503, { [MOVED_HEADER]: '1' }).end();
    }
    return true;
  }

  async #send(
    request: IncomingMessage,
    response: ServerResponse,
    { owner, home }: { readonly owner: string; readonly home: Home },
  ): Promise<void> {
    const { replica, forwarder, ownAddress, clock } = this.#options;
    const body = await bodyOf(request);
    const deadline = clock.monotonic() + teamLimits.forwardTotalMs;
    for (let to = home; ; to = await replica.homeOf(owner)) {
      const address = to.kind === 'here' ? ownAddress : to.address;
      const sent = await forwarder.send({ request, response, body, address });
      if (sent === 'answered') return;
      if (clock.monotonic() > deadline) throw noneAnswers();
      const isFree = sent === 'unreachable' && to.kind === 'away' && (await replica.isGone(to));
      if (!isFree) await clock.sleep(teamLimits.forwardPollMs);
    }
  }
}

function noneAnswers(): PlugError {
  const message = 'The process that serves this does not answer.';
  return new PlugError('unavailable', message, { owner: 'plugboard', remedy: { do: 'retry' } });
}
