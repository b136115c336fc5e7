import { isAbsolute, resolve, sep } from 'node:path';
import { PlugError } from '../../base/errors.ts';
import { isObject } from '../../base/json.ts';
import { checkPlan, type PlanChecks } from './checks.ts';
import { fieldOf, Form } from './form.ts';
import type { InstallPlan, PlanArgument, PlanPart, PlanText } from './plan.ts';
import { asksForSecret } from './secret-fields.ts';

export interface UnpackedBundle {
  readonly folder: string;
  readonly manifest: unknown;
  readonly platform: NodeJS.Platform;
  readonly home: string;
}

export function planBundle(plan: InstallPlan, bundle: UnpackedBundle, checks: PlanChecks = {}): InstallPlan {
  const manifest = isObject(bundle.manifest) ? bundle.manifest : {};
  const server = isObject(manifest['server']) ? manifest['server'] : {};
  const config = configFor(server, bundle.platform);
  const written = typeof config['command'] === 'string' ? config['command'] : undefined;
  if (written === undefined) throw refused(plan, 'its manifest names no command');
  const form = new Form();
  const asked = isObject(manifest['user_config']) ? manifest['user_config'] : {};
  const read = (text: string): PlanText => splitText(text, { bundle, asked, form });
  const [program, ...rest] = read(written);
  if (typeof program !== 'string' || rest.length > 0) throw refused(plan, 'its command is not fixed');
  const { target } = plan;
  const declared = target.kind === 'bundle' ? target.env : [];
  const env = Object.entries(isObject(config['env']) ? config['env'] : {}).flatMap(([name, value]) => {
    const text = typeof value === 'string' ? read(value) : [];
    return text.length === 0 ? [] : [{ name, text, optional: form.optional(text) }];
  });
  const own = new Set(env.map(({ name }) => name));
  for (const field of plan.form) if (!own.has(field.label)) form.add(field);
  const args = (Array.isArray(config['args']) ? config['args'] : [])
    .filter((arg) => typeof arg === 'string')
    .map((arg): PlanArgument => {
      const text = read(arg);
      return { text, style: 'separate', optional: form.optional(text) };
    });
  const command = {
    kind: 'command',
    command: inside(program, bundle.folder),
    args,
    env: [...env, ...declared.filter(({ name }) => !own.has(name))],
    cwd: bundle.folder,
  } as const;
  const checked = checkPlan(form.complete({ ...plan, target: command, steps: [] }), checks);
  if (checked.kind === 'refused') throw refused(plan, checked.why);
  return checked.plan;
}

function refused({ title }: InstallPlan, why: string): PlugError {
  return new PlugError('unsupported', `The bundle of “${title}” cannot be used: ${why}.`, {
    owner: 'server',
  });
}

function configFor(server: Record<string, unknown>, platform: NodeJS.Platform): Record<string, unknown> {
  const config = isObject(server['mcp_config']) ? server['mcp_config'] : {};
  const overrides = isObject(config['platform_overrides']) ? config['platform_overrides'] : {};
  const own = Object.hasOwn(overrides, platform) ? overrides[platform] : undefined;
  return isObject(own) ? { ...config, ...own } : config;
}

/** Started from the bundle's folder; other programs come from the PATH. */
function inside(program: string, folder: string): string {
  return /[/\\]/.test(program) && !isAbsolute(program) ? resolve(folder, program) : program;
}

interface Splitting {
  readonly bundle: UnpackedBundle;
  readonly asked: Record<string, unknown>;
  readonly form: Form;
}

function splitText(text: string, { bundle, asked, form }: Splitting): PlanText {
  const places: Readonly<Record<string, string>> = {
    __dirname: bundle.folder,
    HOME: bundle.home,
    DESKTOP: resolve(bundle.home, 'Desktop'),
    DOCUMENTS: resolve(bundle.home, 'Documents'),
    DOWNLOADS: resolve(bundle.home, 'Downloads'),
    '/': sep,
    pathSeparator: sep,
  };
  const parts: PlanPart[] = [];
  const add = (part: PlanPart): void => {
    const last = parts.at(-1);
    if (typeof part === 'string' && typeof last === 'string') parts[parts.length - 1] = last + part;
    else if (part !== '') parts.push(part);
  };
  let from = 0;
  for (const match of text.matchAll(/\$\{(user_config\.)?([\w/.-]+)\}/g)) {
    add(text.slice(from, match.index));
    from = match.index + match[0].length;
    const [whole, config, name = ''] = match;
    if (config !== undefined) for (const part of form.add(userField(name, asked[name]))) add(part);
    else add(Object.hasOwn(places, name) ? (places[name] ?? '') : whole);
  }
  add(text.slice(from));
  return parts;
}

function userField(name: string, given: unknown): ReturnType<typeof fieldOf> {
  const config = isObject(given) ? given : {};
  const { type, title, description, sensitive, multiple } = config;
  const preset = config['default'];
  const path = type === 'directory' || type === 'file';
  const format = path ? 'filepath' : type === 'number' || type === 'boolean' ? type : 'string';
  return fieldOf(
    {
      required: config['required'] === true,
      secret: sensitive === true || (!path && typeof sensitive !== 'boolean' && asksForSecret(name)),
      format,
      variables: {},
      ...(typeof description === 'string' ? { description } : {}),
      ...(typeof preset === 'string' || typeof preset === 'number' || typeof preset === 'boolean'
        ? { default: String(preset) }
        : {}),
    },
    {
      id: `config:${name}`,
      label: typeof title === 'string' ? title : name,
      where: 'config',
      ...(multiple === true ? { many: true } : {}),
    },
  );
}
