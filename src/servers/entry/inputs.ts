import { isObject, type Json } from '../../base/json.ts';

/** A question that a file declares, and that `${input:id}` refers to. */
export interface DeclaredInput {
  readonly type?: string;
  readonly id: string;
  readonly description?: string;
  readonly password?: boolean;
  readonly default?: string;
  readonly options?: readonly Json[];
}

export function readInputList(list: readonly unknown[]): readonly DeclaredInput[] {
  return list.filter(isObject).flatMap((item) => {
    const { type, id, description, password, default: preset, options } = item;
    if (typeof id !== 'string') return [];
    return {
      ...(typeof type === 'string' ? { type } : {}),
      id,
      ...(typeof description === 'string' ? { description } : {}),
      ...(typeof password === 'boolean' ? { password } : {}),
      ...(typeof preset === 'string' ? { default: preset } : {}),
      // From a JSON, TOML or YAML parser.
      ...(Array.isArray(options) ? { options: options as readonly Json[] } : {}),
    };
  });
}
