import { defined } from '../../base/defined.ts';
import { scalar } from './remote.ts';
import type { FormField, InstallPlan, PlanArgument, PlanPart, PlanText } from './plan.ts';
import { isAbsolute, resolve, sep } from 'node:path';
import { PlugError } from '../../base/errors.ts';
import { isObject } from '../../base/json.ts';
import { checkPlan, type PlanChecks } from './checks.ts';
import { fieldOf, Form } from './form.ts';
import { asksForSecret } from './secret-fields.ts';

export interface UnpackedBundle {
  readonly folder: string;
  readonly manifest: unknown;
  readonly platform: NodeJS.Platform;
  readonly home: string;
}

export function planBundle(plan: InstallPlan, bundle: UnpackedBundle, checks: PlanChecks = {}): InstallPlan {
  const manifest = objectIn(bundle.manifest);
  const config = configFor(objectIn(manifest['server']), bundle.platform);
  const { command: written, args: words, env: variables } = config;
  if (typeof written !== 'string') throw refused(plan, 'its manifest names no command');
  const form = new Form();
  const asked = objectIn(manifest['user_config']);
  const read = (text: string): PlanText => splitText(text, bundle, asked, form);
  const [program, ...rest] = read(written);
  if (typeof program !== 'string' || rest.length > 0) throw refused(plan, 'its command is not fixed');
  const declared = plan.target.kind === 'bundle' ? plan.target.env : [];
  const env = Object.entries(objectIn(variables)).flatMap(([name, value]) => {
    const text = typeof value === 'string' ? read(value) : [];
    return text.length === 0 ? [] : [{ name, text, optional: form.optional(text) }];
  });
  const own = new Set(env.map(({ name }) => name));
  for (const field of plan.form) if (!own.has(field.label)) form.add(field);
  const args = (Array.isArray(words) ? words : [])
    .filter((arg) => typeof arg === 'string')
    .map((arg): PlanArgument => {
      const text = read(arg);
      return { text, style: 'separate', optional: form.optional(text) };
    });
  const target = {
    kind: 'command',
    // Started from the bundle's folder; other programs come from the PATH.
    command: /[/\\]/.test(program) && !isAbsolute(program) ? resolve(bundle.folder, program) : program,
    args,
    env: [...env, ...declared.filter(({ name }) => !own.has(name))],
    cwd: bundle.folder,
  } as const;
  const checked = checkPlan(form.complete({ ...plan, target, steps: [] }), checks);
  if (checked.kind === 'refused') throw refused(plan, checked.why);
  return checked.plan;
}

function objectIn(value: unknown): Record<string, unknown> {
  return isObject(value) ? value : {};
}

function refused({ title }: InstallPlan, why: string): PlugError {
  return new PlugError('unsupported', `The bundle of “${title}” cannot be used: ${why}.`, {
    owner: 'server',
  });
}

function configFor(server: Record<string, unknown>, platform: NodeJS.Platform): Record<string, unknown> {
  const config = objectIn(server['mcp_config']);
  const overrides = objectIn(config['platform_overrides']);
  return Object.hasOwn(overrides, platform) ? { ...config, ...objectIn(overrides[platform]) } : config;
}

function splitText(
  text: string,
  bundle: UnpackedBundle,
  asked: Record<string, unknown>,
  form: Form,
): PlanText {
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

function userField(name: string, given: unknown): FormField {
  const { type, title, description, sensitive, multiple, required, default: preset } = objectIn(given);
  const path = type === 'directory' || type === 'file';
  return fieldOf(
    {
      required: required === true,
      secret: sensitive === true || (!path && typeof sensitive !== 'boolean' && asksForSecret(name)),
      format: path ? 'filepath' : type === 'number' || type === 'boolean' ? type : 'string',
      variables: {},
      ...(typeof description === 'string' ? { description } : {}),
      ...defined({ default: scalar(preset) }),
    },
    {
      id: `config:${name}`,
      label: typeof title === 'string' ? title : name,
      where: 'config',
      many: multiple === true,
    },
  );
}
