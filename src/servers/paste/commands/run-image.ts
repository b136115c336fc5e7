import { defined } from '../../../base/defined.ts';
import type { Draft } from '../view.ts';

export interface ImageRun {
  readonly image: string;
  readonly name?: string | null;
  /** For docker itself, before the image: `-v folder:/data`. */
  readonly options?: readonly string[];
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Variables whose values come from elsewhere: they are asked for. */
  readonly asked?: readonly string[];
}

/** An image as the command that starts it over stdio. Values stay out of the arguments. */
export function imageDraft({
  image,
  name = null,
  options = [],
  args = [],
  env = {},
  asked = [],
}: ImageRun): Draft {
  const passed = [...new Set([...Object.keys(env), ...asked])].flatMap((variable) => ['-e', variable]);
  return {
    name,
    transport: 'stdio',
    command: 'docker',
    args: ['run', '-i', '--rm', ...options, ...passed, image, ...args],
    ...defined({ env: Object.keys(env).length > 0 ? env : undefined }),
    extra: {},
  };
}

const SCHEMES: Readonly<Record<string, readonly [command: string, ...before: readonly string[]]>> = {
  npx: ['npx', '-y'],
  uvx: ['uvx'],
  go: ['go', 'run'],
};

/** `npx://package` and the like, as ToolHive writes packages in place of an image. */
export function packageDraft(target: string, run: Omit<ImageRun, 'image' | 'options'>): Draft | undefined {
  const [, scheme = '', id = ''] = /^([a-z]+):\/\/(\S+)$/.exec(target) ?? [];
  const starts = Object.hasOwn(SCHEMES, scheme) ? SCHEMES[scheme] : undefined;
  if (!starts) return undefined;
  const { name = null, args = [], env = {}, asked = [] } = run;
  const [command, ...before] = starts;
  return {
    name,
    transport: 'stdio',
    command,
    args: [...before, id, ...args],
    ...defined({ env: Object.keys(env).length > 0 ? env : undefined }),
    ...(asked.length > 0 ? { asked } : {}),
    extra: {},
  };
}

/** `registry.example.com/team/image:tag`, `ghcr.io/x/y` or `owner/image`. */
export function isImage(text: string): boolean {
  return IMAGE.test(text);
}

const PART = '[a-z0-9]+(?:[._-]+[a-z0-9]+)*';
const IMAGE = new RegExp(
  `^(?:(?:[a-z0-9-]+\\.)+[a-z]{2,}(?::\\d+)?/|localhost:\\d+/)?${PART}(?:/${PART}){1,6}(?::[\\w][\\w.-]{0,127})?(?:@sha256:[0-9a-f]{64})?$`,
);
