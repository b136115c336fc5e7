import { isServerId } from './definition.ts';

/**
 * A name in the letters that an id may have: “GitHub (work)” is `github-work`, “Übersetzer” is `ubersetzer`.
 * Undefined when nothing is left that could be an id.
 */
export function plainId(name: string): string | undefined {
  const id = name
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9._-]+/g, '-')
    .replace(/^[._-]+/, '')
    .slice(0, 64)
    .replace(/[._-]+$/, '');
  return isServerId(id) ? id : undefined;
}
