import type { Ids } from '../base/ids.ts';
import type { JsonObject } from '../base/json.ts';

/**
 * Pages that a legacy host opens during one request. Such a host needs an `elicitationId`, and waits for
 * the notification that the page is done with (spec 2025-11-25, elicitation). Modern servers have
 * neither: they just answer the repeated request.
 */
export class UrlQuestions {
  readonly #ids: Ids;
  readonly #accepted: string[] = [];

  constructor(ids: Ids) {
    this.#ids = ids;
  }

  async ask(params: JsonObject, ask: (params: JsonObject) => Promise<JsonObject>): Promise<JsonObject> {
    if (params['mode'] !== 'url' || typeof params['elicitationId'] === 'string') return ask(params);
    const elicitationId = this.#ids.next('elicitation');
    const answer = await ask({ ...params, elicitationId });
    if (answer['action'] === 'accept') this.#accepted.push(elicitationId);
    return answer;
  }

  /** The request was answered, so the server has what it wanted from these pages. */
  get done(): readonly string[] {
    return this.#accepted;
  }
}

export const PAGE_DONE = 'notifications/elicitation/complete';
