import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '..');

/** Where a command of ours may stand in a text, and why. */
const COMMANDS_ALLOWED: Readonly<Record<string, string>> = {
  'src/base/remedy-command.ts': 'the one place that turns a remedy into a command',
  'src/bin.ts': 'the program names itself when it cannot run',
  'src/agent/setup-agent/phrases.ts': 'a list of English words',
  'src/agent/setup-agent/targets.ts': 'a list of English words',
  'src/servers/featured.ts': 'a list of English words',
  'src/calls/results/preview.ts': 'how the rest of a kept result is read: no next step, but a manual',
  'src/catalog/typescript/client-file.ts': 'the head of a generated file says what wrote it',
  'src/hub/client.ts': 'the name of a client',
  'src/servers/clients/documents/elisp.ts': 'the head of a block in a file of the user’s says what wrote it',
  'src/hub/decisions/grants-api.ts': 'the source of a grant, as it is kept',
  'src/hub/doctor/config-check.ts': 'where a definition came from',
  'src/hub/doctor/machine.ts': 'what a model is needed for',
};

/** Where a text is branched on, and why it is not one of ours or cannot be otherwise. */
const BRANCHES_ALLOWED: Readonly<Record<string, string>> = {
  'src/cli/commands/search.ts': 'only keeps a name from being said twice',
  'src/cli/program.ts': 'commander says only in words which one of two commands is unknown',
  'src/connections/sign-in/problem.ts': 'the SDK has no code for it',
  'src/gateway/code/machine-failure.ts': 'the interpreter has no code for it',
  'src/servers/paste/entry.ts': '“next” is the next word of a command line',
  'src/servers/paste/words.ts': '“next” is the next character',
};

test('outside the command line, no text of ours holds one of its commands: remedies are data', () => {
  const found = sources('src')
    .filter((file) => !file.startsWith('src/cli/') && !Object.hasOwn(COMMANDS_ALLOWED, file))
    .flatMap((file) => linesOf(file, /['"`“(: ]plug [a-z]+/));
  expect(found).toEqual([]);
});

test('nobody branches on the words of an error, a state or a next step', () => {
  const words = String.raw`(?:message|reason|next|says|why)`;
  const asked = new RegExp(
    String.raw`\b${words}\)?\??\.(?:startsWith|endsWith|includes|match|search)\(|\.(?:test|exec)\((?:\w+\.)*${words}\)`,
  );
  const found = [...sources('src'), ...sources('web/src')]
    .filter((file) => !Object.hasOwn(BRANCHES_ALLOWED, file))
    .flatMap((file) => linesOf(file, asked));
  expect(found).toEqual([]);
});

test('every exception is still needed', () => {
  for (const file of Object.keys({ ...COMMANDS_ALLOWED, ...BRANCHES_ALLOWED })) {
    expect(sources('src').concat(sources('web/src'))).toContain(file);
  }
});

function sources(folder: string): readonly string[] {
  return readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file) && !/\.test\.tsx?$/.test(file))
    .map((file) => `${folder}/${file}`)
    .toSorted();
}

/** Comments may name a command. */
function linesOf(file: string, pattern: RegExp): readonly string[] {
  return readFileSync(join(ROOT, file), 'utf8')
    .split('\n')
    .flatMap((line, index) =>
      !/^\s*(?:\/\/|\*|\/\*|\{\/\*)/.test(line) && pattern.test(line.replace(/\s\/\/ .*$/, ''))
        ? [`${file}:${index + 1}: ${line.trim()}`]
        : [],
    );
}
