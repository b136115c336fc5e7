import { PlugError } from '../../base/errors.ts';
import type { JsonObject } from '../../base/json.ts';
import type { PooledServer } from '../../connections/pool.ts';
import { findDataRule } from '../../policy/rules/match.ts';
import type { Core } from '../core.ts';

/**
 * Resources and prompts are no calls, and nobody is asked about them. But addresses and arguments
 * carry data to a server as well: what a rule about data would ask about or deny does not leave.
 */
export function checkOutgoing(core: Core, server: PooledServer, method: string, params: JsonObject): void {
  const { origins, rules } = core.deciding;
  if (!origins.enabled) return;
  const { id } = server.definition;
  const { dataDeny, dataAsk } = rules.inForce.rules;
  const found = findDataRule([...dataDeny, ...dataAsk], {
    server: { id },
    tool: { name: method },
    origins: origins.originsIn({ principal: core.owner, server: id, args: params }),
  });
  if (!found) return;
  const { rule, origin } = found;
  throw new PlugError(
    'denied',
    `The rule “${rule.name}” stops ${id} ${method}: ${origin.argument} holds what came from ${origin.server}/${origin.tool}.`,
    {
      owner: 'you',
      server: id,
      next: 'plug rules',
      details: { by: { kind: 'data_rule', name: rule.name, origin } },
    },
  );
}

/** What a server answers is its words, however it was asked: secrets of ours in it are hidden, and it is remembered. */
export function takeIn(core: Core, server: PooledServer, method: string, answer: JsonObject): JsonObject {
  const { origins, clean } = core.deciding;
  const cleaned = clean(server, method, answer);
  const { id } = server.definition;
  if (origins.enabled) origins.remember({ principal: core.owner, server: id, tool: method, result: cleaned });
  return cleaned;
}
