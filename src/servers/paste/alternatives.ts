import { commandPackage } from '../plans/command-package.ts';
import { programOf } from './commands/run-command.ts';
import type { Draft, Finding } from './view.ts';

/**
 * Groups of indices: ways to the same server, such as npx, Docker and a remote address in a README.
 * Entries of one document stand side by side on purpose and are never ways to one server.
 */
export function alternativesIn(found: readonly Finding[]): readonly (readonly number[])[] {
  const groups: number[][] = [];
  const traits = found.map(({ draft }) => traitsOf(draft));
  for (const [index, item] of found.entries()) {
    const group = groups.find(
      (members) =>
        members.every((member) => found[member]?.document !== item.document) &&
        members.some((member) => isSameServer(traits[member], traits[index])),
    );
    if (group) group.push(index);
    else groups.push([index]);
  }
  return groups.filter((group) => group.length > 1);
}

interface Traits {
  readonly name?: string;
  /** What the package, image or module is called, without the words that all servers share. */
  readonly subject?: string;
  /** Who makes it: the scope, the owner of the image or the domain. */
  readonly maker?: string;
  readonly host?: string;
}

function isSameServer(a: Traits | undefined, b: Traits | undefined): boolean {
  if (!a || !b) return false;
  if (a.name !== undefined && b.name !== undefined) return a.name === b.name;
  if (a.host !== undefined && b.host !== undefined) return a.host === b.host;
  if (a.host === undefined && b.host === undefined)
    return (
      a.subject !== undefined && (a.subject === b.subject || a.subject === b.name || b.subject === a.name)
    );
  // One is remote, the other runs here: the domain is the maker.
  const [remote, local] = a.host === undefined ? [b, a] : [a, b];
  return remote.maker !== undefined && (remote.maker === local.maker || remote.maker === local.subject);
}

function traitsOf({ name, command, args = [], url }: Draft): Traits {
  const called = name === null || name === '' ? {} : { name: plain(name) };
  if (url !== undefined) {
    const host = /^[a-z]+:\/\/(?:[^/?#@]*@)?([^/?#:]+)/i.exec(url)?.[1]?.toLowerCase();
    const label = host?.split('.').at(-2);
    return {
      ...called,
      ...(host === undefined ? {} : { host }),
      ...(label === undefined ? {} : { maker: plain(label) }),
    };
  }
  const target = command === undefined ? undefined : targetOf(command, args);
  if (target === undefined) return called;
  const parts = target.replace(/^@/, '').split('/');
  const maker = parts.length > 1 ? plain(parts.at(-2) ?? '') : '';
  // `@acme/mcp` is about what its maker is about.
  const subject = plain(parts.at(-1) ?? '') || maker;
  return { ...called, ...(subject === '' ? {} : { subject }), ...(maker === '' ? {} : { maker }) };
}

/** “@acme/mcp-server-notes”, “notes_mcp” and “Notes” are all about notes. */
function plain(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .replaceAll(/\b(?:mcp|server|the|official)\b/g, ' ')
    .replaceAll(' ', '');
}

/** The package, module or image that a command runs, without its version. */
function targetOf(command: string, args: readonly string[]): string | undefined {
  const isModule = programOf(command).startsWith('py') && args[0] === '-m';
  return isModule ? args[1] : commandPackage(command, args)?.package.name;
}
