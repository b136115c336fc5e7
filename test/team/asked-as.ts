import type { RoutedOperation } from '../../src/hub/operations/operation.ts';
import { usesQuery } from '../../src/api/routes.ts';
import { asking, type Answer } from './team-world.ts';

/** One operation over HTTP, with its input where its route has it. */
export function askAs(
  url: string,
  { route }: RoutedOperation,
  headers: Readonly<Record<string, string>>,
  input: Readonly<Record<string, unknown>>,
): Promise<Answer> {
  const rest = { ...input };
  const path = route.path.replaceAll(/:(\w+)/g, (_, name: string) => {
    const value = rest[name];
    delete rest[name];
    return encodeURIComponent(textOf(value ?? 'none'));
  });
  if (!usesQuery(route)) return asking(url, route.method, path, headers, rest);
  const query = Object.entries(rest).map(([name, value]): [string, string] => [name, textOf(value)]);
  const text = query.length === 0 ? '' : `?${new URLSearchParams(query).toString()}`;
  return asking(url, route.method, `${path}${text}`, headers);
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
