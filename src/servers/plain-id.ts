import { isServerId } from './definition.ts';

/** “GitHub (work)” is `github-work`, “Übersetzer” is `ubersetzer`; undefined if nothing is left. */
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
