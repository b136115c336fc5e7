import { namesSecret } from '../../../src/base/secret-names.ts';

/** Whether a text holds what the hub takes out before a model sees it. It looks for less than the hub does. */
export function looksLikeKey(text: string): boolean {
  const start = text.slice(0, CHARS_MAX);
  if ((start.match(LONG) ?? []).some((run) => (run.match(/\d/g)?.length ?? 0) >= 3 && /[A-Za-z]/.test(run))) {
    return true;
  }
  return [...start.matchAll(NAMED)].some(
    ([, name = '', value = '']) => namesSecret(name) && !/^\$?\{/.test(value),
  );
}

const CHARS_MAX = 100_000;
const LONG = /[A-Za-z0-9]{16,}/g;
const NAMED = /([A-Za-z][\w.-]{0,80})["'`]?[ \t]{0,8}[=:][ \t]{0,8}["'`]?([^\s"'`,;{}<]{6,})/g;
