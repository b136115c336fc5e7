import type { Plugin } from 'rolldown';

/**
 * Writes everything beyond ASCII as an escape. One “ in a file of a megabyte makes V8 keep two bytes
 * for each character of it, and a hub holds several such files. `String.raw` keeps the escape as it is:
 * what we write with it are patterns, to which an escape means the same.
 */
export function plainAscii(): Plugin {
  return {
    name: 'plain-ascii',
    // At the very end: taking comments out prints the code anew.
    generateBundle: (_options, bundle) => {
      for (const part of Object.values(bundle)) {
        if (part.type === 'chunk') part.code = part.code.replaceAll(BEYOND, escaped);
      }
    },
  };
}

const BEYOND = /(\\*)([\u0080-\uffff])/g;

/** An odd backslash escapes the character, which means itself; before an escape it would not. */
function escaped(_text: string, slashes: string, character: string): string {
  const kept = slashes.slice(slashes.length % 2);
  return `${kept}\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
