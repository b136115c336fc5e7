import { homedir } from 'node:os';

export function withShortHome(text: string): string {
  return text.replaceAll(`${homedir()}/`, '~/');
}

/** A path as people write it: their home is `~`. */
export function shortHome(path: string): string {
  const home = homedir();
  return path.startsWith(`${home}/`) ? `~${path.slice(home.length)}` : path;
}
