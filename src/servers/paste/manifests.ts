import { defined } from '../../base/defined.ts';
import { isObject } from '../../base/json.ts';
import { transportOf } from '../entry/kinds.ts';
import { imageDraft, packageDraft } from './commands/run-image.ts';
import { programOf } from './commands/run-command.ts';
import { transportOfUrl } from './entry.ts';
import type { Draft } from './view.ts';

/** A server in a Kubernetes manifest. */
interface ManifestServer {
  readonly draft: Draft;
  /** It listens on a port of its cluster, while here it is started over stdio. */
  readonly listens: boolean;
}

/**
 * Resources of kinds that are MCP servers (ToolHive, kagent), and workloads with a container that is one
 * by its name, image or command.
 */
export function serversInManifest(root: unknown): readonly ManifestServer[] {
  if (!isObject(root) || typeof root['apiVersion'] !== 'string' || typeof root['kind'] !== 'string')
    return [];
  const { kind, metadata, spec, items } = root;
  if (kind === 'List' && Array.isArray(items)) return items.slice(0, ITEMS_MAX).flatMap(serversInManifest);
  if (!isObject(spec)) return [];
  const name = isObject(metadata) && typeof metadata['name'] === 'string' ? metadata['name'] : null;
  return /mcp/i.test(kind) ? resource(spec, name) : workload(spec, name);
}

const ITEMS_MAX = 50;

type Fields = Readonly<Record<string, unknown>>;

function own(fields: Fields, key: string): unknown {
  return Object.hasOwn(fields, key) ? fields[key] : undefined;
}

function resource(spec: Fields, name: string | null): readonly ManifestServer[] {
  const url = ['url', 'remoteURL', 'remoteUrl', 'externalURL'].map((key) => own(spec, key)).find(isText);
  const said = transportOf(own(spec, 'transport') ?? own(spec, 'type') ?? own(spec, 'protocol'));
  if (url !== undefined) {
    const transport = said === undefined || said === 'stdio' ? transportOfUrl(url) : said;
    const headers = headersFrom(own(spec, 'headersFrom'));
    return [{ draft: { name, transport, url, ...defined({ headers }), extra: {} }, listens: false }];
  }
  const deployment = own(spec, 'deployment');
  const draft = containerDraft(isObject(deployment) ? deployment : spec, name);
  return draft ? [{ draft, listens: said !== undefined && said !== 'stdio' }] : [];
}

function workload(spec: Fields, name: string | null): readonly ManifestServer[] {
  const containers = own(podSpec(spec), 'containers');
  const list = Array.isArray(containers) ? containers.slice(0, ITEMS_MAX).filter(isObject) : [];
  return list
    .filter((container) => {
      const words = [name, own(container, 'name'), own(container, 'image'), ...lineOf(container)];
      return words.some((word) => isText(word) && /mcp/i.test(word));
    })
    .flatMap((container) => {
      const draft = containerDraft(container, name);
      return draft ? [{ draft, listens: own(container, 'stdin') !== true }] : [];
    });
}

/** A pod's own, or the template's of what starts pods. */
function podSpec(spec: Fields): Fields {
  let found: Fields = spec;
  for (const key of ['jobTemplate', 'spec', 'template', 'spec']) {
    const inner = own(found, key);
    if (isObject(inner)) found = inner;
  }
  return found;
}

/** Programs that fetch what they run: no image is needed for them. */
const FETCHES = /^(?:npx|bunx|uvx)$/;

function containerDraft(container: Fields, name: string | null): Draft | undefined {
  const { env, asked } = variablesOf(container);
  const [program, ...rest] = lineOf(container);
  const given = own(container, 'args');
  const args = [...rest, ...(Array.isArray(given) ? given.filter(isText) : [])];
  const run = { name, env, asked, args };
  if (program !== undefined && FETCHES.test(programOf(program))) {
    const variables = Object.keys(env).length > 0 ? { env } : {};
    const more = asked.length > 0 ? { asked } : {};
    return { name, transport: 'stdio', command: program, args, ...variables, ...more, extra: {} };
  }
  const image = own(container, 'image');
  if (!isText(image)) return undefined;
  const options = program === undefined ? [] : ['--entrypoint', program];
  return packageDraft(image, run) ?? imageDraft({ image, options, ...run });
}

function lineOf(container: Fields): readonly string[] {
  const command = own(container, 'command') ?? own(container, 'cmd');
  if (isText(command)) return [command];
  return Array.isArray(command) ? command.filter(isText) : [];
}

/** Values that stand there, and the names of those that come from a secret or a config map. */
function variablesOf(container: Fields): { env: Record<string, string>; asked: readonly string[] } {
  const env: [string, string][] = [];
  const asked: string[] = [];
  const given = own(container, 'env');
  for (const item of Array.isArray(given) ? given.filter(isObject) : []) {
    const { name, value } = item;
    if (!isText(name)) continue;
    if (value === undefined) asked.push(name);
    else env.push([name, textOfValue(value)]);
  }
  if (isObject(given))
    for (const [name, value] of Object.entries(given)) env.push([name, textOfValue(value)]);
  const secrets = own(container, 'secrets');
  for (const secret of Array.isArray(secrets) ? secrets.filter(isObject) : [])
    if (isText(secret['targetEnvName'])) asked.push(secret['targetEnvName']);
  return { env: Object.fromEntries(env), asked };
}

function textOfValue(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value ?? '');
}

/** A header's value is a secret's: it is asked for by the name of its key. */
function headersFrom(list: unknown): Record<string, string> | undefined {
  if (!Array.isArray(list)) return undefined;
  const pairs = list.filter(isObject).flatMap(({ name, value, valueFrom }): [string, string][] => {
    if (!isText(name)) return [];
    if (isText(value)) return [[name, value]];
    const key = isObject(valueFrom) ? own(valueFrom, 'key') : undefined;
    return [[name, `<${isText(key) ? key : name}>`]];
  });
  return pairs.length > 0 ? Object.fromEntries(pairs) : undefined;
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}
