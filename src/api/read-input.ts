import { PlugError } from '../base/errors.ts';
import { readBody } from './body.ts';
import { contract } from './contract.ts';
import type { OperationName } from './operations.ts';
import { routes, usesQuery } from './routes.ts';

/** Path, query or body fields in one object, parsed by the operation's schema. The path wins. */
export async function readInput(
  name: OperationName,
  request: Request,
  params: Readonly<Record<string, string>>,
): Promise<unknown> {
  const route = routes[name];
  const given = usesQuery(route) ? readQuery(request) : await readBody(request, route.bodyBytesMax);
  const parsed = contract[name].input.safeParse({ ...given, ...params });
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const where = issue?.path.join('.') ?? '';
  throw new PlugError('usage', `The request does not fit: ${where && `${where}: `}${issue?.message}.`, {
    owner: 'you',
    details: { field: where },
  });
}

function readQuery(request: Request): Record<string, string> {
  return Object.fromEntries(new URL(request.url).searchParams);
}
