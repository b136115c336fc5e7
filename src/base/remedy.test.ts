import { expect, test } from 'vitest';
import { EVERY_REMEDY } from '../../test/every-remedy.ts';
import { PlugError } from './errors.ts';
import { commandOf, nextStep } from './remedy-command.ts';
import { sentenceOf, toldToModel } from './remedy-sentence.ts';
import type { Remedy } from './remedy.ts';

const ALL: readonly Remedy[] = Object.values(EVERY_REMEDY).flat();

test('every remedy has one command, or one sentence where no command does it', () => {
  expect(ALL.map(commandOf)).toEqual([
    'plug auth github',
    'plug auth github --account work',
    "plug auth github --client-id 'an id' --callback-port 8123",
    'Open https://example.com/authorize',
    'plug auth github --client-id ID --callback-port 8123',
    'plug auth logout github',
    'plug auth list github',
    'plug auth list',
    'plug restart github',
    'plug enable github',
    'plug disable github',
    'plug trust github',
    'plug remove github',
    'plug add github',
    'plug install github',
    'plug install github --scripts',
    'plug status github',
    'plug logs github',
    'plug doctor',
    'plug doctor github',
    'plug doctor github --live',
    'plug doctor --fix',
    "plug search 'o'\\''reilly notes'",
    'plug import --dry-run',
    'plug remove github && plug import cursor --follow',
    'Correct the definition of github.',
    'If its address has changed: plug add github ADDRESS --replace',
    'Correct “args” in /home/a/mcp.json.',
    'Set “env.TOKEN” to ${TOKEN} in the definition of github.',
    'lsof -i :3000',
    'Bring /home/a/notes back, or correct its path in the definition of github',
    'plug tools',
    'plug tools github --search issues',
    'plug tools github --json',
    'plug resources github',
    'plug tools --audit github',
    "plug tools approve github/search 'github/a tool'",
    'plug tools enable github/search',
    'plug call github/search',
    'plug grants add github/search',
    'plug grants add github/drop --once --args-hash ab12 --account work',
    'plug grants revoke g_1',
    'plug approve a_1',
    'plug read-only off',
    'plug read-only github off',
    'plug profile show work',
    'plug rules check',
    'plug host add NAME',
    'plug host add laptop',
    'plug host revoke laptop && plug host add laptop',
    'plug secrets set github/TOKEN',
    'plug secrets set github/TOKEN && plug restart github',
    'plug secrets unlock',
    'plug secrets rotate --to passphrase',
    'plug model add',
    'plug model add fast --key',
    'plug model test fast',
    'plug hub start',
    'plug hub start --foreground',
    'plug hub restart',
    'plug open',
    'plug undo',
    'plug undo --force',
    'plug update',
    'plug update github',
    'plug list',
    'plug profile list',
    'plug host list',
    'plug grants list',
    'plug approvals',
    'plug rules',
    'plug model list',
    'plug secrets list',
    'plug hub status',
    'plug gateway',
    'plug help grants add',
    'Install uv from https://docs.astral.sh/uv/',
    'Correct it, or save it without a test: --no-test',
    'Try again in a moment.',
    'Wait a minute, then try again.',
    'Wait 3 s, then try again.',
    'df -h',
    'plug logs SERVER',
    'Check your network',
  ]);
});

test('every remedy has a sentence that a model can act on; what is typed, the user types', () => {
  expect(ALL.map(sentenceOf)).toEqual([
    'Ask the user to sign in to github; in a terminal: plug auth github',
    'Ask the user to sign in to github as work; in a terminal: plug auth github --account work',
    "Ask the user to sign in to github; in a terminal: plug auth github --client-id 'an id' --callback-port 8123",
    'Ask the user to sign in to github at https://example.com/authorize, then try again.',
    'Ask the user to register a client for github and give its id; in a terminal: plug auth github --client-id ID --callback-port 8123',
    'Ask the user to sign out of github; in a terminal: plug auth logout github',
    'Ask the user to choose an account of github; in a terminal: plug auth list github',
    'Ask the user to choose an account; in a terminal: plug auth list',
    'Ask the user to restart the server github; in a terminal: plug restart github',
    'Ask the user to enable the server github; in a terminal: plug enable github',
    'Ask the user to disable the server github; in a terminal: plug disable github',
    'Ask the user to trust the server github; in a terminal: plug trust github',
    'Ask the user to remove the server github; in a terminal: plug remove github',
    'Ask the user to add the server github; in a terminal: plug add github',
    'Ask the user to install the package of github; in a terminal: plug install github',
    'Ask the user to install the package of github with its install scripts; in a terminal: plug install github --scripts',
    'Ask the user to look at the server github; in a terminal: plug status github',
    'Ask the user to look at the log of github; in a terminal: plug logs github',
    'Ask the user to run the doctor; in a terminal: plug doctor',
    'Ask the user to check the server github; in a terminal: plug doctor github',
    'Ask the user to check the server github; in a terminal: plug doctor github --live',
    'Ask the user to run the doctor; in a terminal: plug doctor --fix',
    "Ask the user to look for a server: o'reilly notes; in a terminal: plug search 'o'\\''reilly notes'",
    'Ask the user to import their servers; in a terminal: plug import --dry-run',
    'Ask the user to import github again; in a terminal: plug remove github && plug import cursor --follow',
    'Ask the user to correct the definition of github.',
    'Ask the user to correct “url” in the definition of github.',
    'Ask the user to correct “args” in /home/a/mcp.json.',
    'Ask the user to set “env.TOKEN” to ${TOKEN} in the definition of github.',
    'Ask the user to give github another port; in a terminal: lsof -i :3000',
    'Ask the user: Bring /home/a/notes back, or correct its path in the definition of github.',
    'Look at the tools again.',
    'Look at the tools of github that match “issues” again.',
    'Look at the tools of github again.',
    'Look at the resources of github.',
    'Ask the user to review the tools of github; in a terminal: plug tools --audit github',
    "Ask the user to review and approve github/search, github/a tool; in a terminal: plug tools approve github/search 'github/a tool'",
    'Ask the user to switch github/search on; in a terminal: plug tools enable github/search',
    'Call github/search.',
    'Ask the user to allow github/search; in a terminal: plug grants add github/search',
    'Ask the user to allow github/drop once; in a terminal: plug grants add github/drop --once --args-hash ab12 --account work',
    'Ask the user to revoke the grant g_1; in a terminal: plug grants revoke g_1',
    'Ask the user to answer the approval a_1; in a terminal: plug approve a_1',
    'Ask the user to switch read-only mode off; in a terminal: plug read-only off',
    'Ask the user to switch read-only mode off for github; in a terminal: plug read-only github off',
    'Ask the user to look at the profile work; in a terminal: plug profile show work',
    'Ask the user to check the rules file; in a terminal: plug rules check',
    'Ask the user to make a token for this host; in a terminal: plug host add NAME',
    'Ask the user to make a token for this host; in a terminal: plug host add laptop',
    'Ask the user to revoke the host laptop and add it again; in a terminal: plug host revoke laptop && plug host add laptop',
    'Ask the user to put the secret github/TOKEN into the vault; in a terminal: plug secrets set github/TOKEN',
    'Ask the user to put the secret github/TOKEN into the vault; in a terminal: plug secrets set github/TOKEN && plug restart github',
    'Ask the user to unlock the vault; in a terminal: plug secrets unlock',
    'Ask the user to protect the vault with a passphrase; in a terminal: plug secrets rotate --to passphrase',
    'Ask the user to add a model; in a terminal: plug model add',
    'Ask the user to give the key of the model fast; in a terminal: plug model add fast --key',
    'Ask the user to test the model fast; in a terminal: plug model test fast',
    'Ask the user to start the hub; in a terminal: plug hub start',
    'Ask the user to start the hub; in a terminal: plug hub start --foreground',
    'Ask the user to restart the hub; in a terminal: plug hub restart',
    'Ask the user to open the page; in a terminal: plug open',
    'Ask the user to undo the last change; in a terminal: plug undo',
    'Ask the user to undo the last change; in a terminal: plug undo --force',
    'Ask the user to update their servers; in a terminal: plug update',
    'Ask the user to update the server github; in a terminal: plug update github',
    'Ask the user to look at their servers; in a terminal: plug list',
    'Ask the user to look at their profiles; in a terminal: plug profile list',
    'Ask the user to look at their hosts; in a terminal: plug host list',
    'Ask the user to look at their grants; in a terminal: plug grants list',
    'Ask the user to answer the pending approvals; in a terminal: plug approvals',
    'Ask the user to look at their rules; in a terminal: plug rules',
    'Ask the user to look at their models; in a terminal: plug model list',
    'Ask the user to look at the names in the vault; in a terminal: plug secrets list',
    'Ask the user to look at the state of the hub; in a terminal: plug hub status',
    'Ask the user to use the gateway; in a terminal: plug gateway',
    'Ask the user to read the help on grants add; in a terminal: plug help grants add',
    'Ask the user to install uv from https://docs.astral.sh/uv/.',
    'Correct it, or save it without a test.',
    'Try again in a moment.',
    'Wait a minute, then try again.',
    'Wait 3 s, then try again.',
    'Ask the user to run this in a terminal: df -h',
    'Ask the user to run this in a terminal: plug logs SERVER',
    'Check your network.',
  ]);
});

test('a name that no command line can carry does not break the line', () => {
  expect(commandOf({ do: 'enable-tool', tool: 'a/b\0; rm -rf ~' })).toBe("plug tools enable 'a/b; rm -rf ~'");
  expect(commandOf({ do: 'call', tool: 'a/\u001b[2J' })).toBe(String.raw`plug call "$(printf 'a/\033[2J')"`);
});

test('a view tells the remedy and its words, or neither', () => {
  expect(nextStep({ do: 'trust', server: 'a' })).toEqual({
    next: 'plug trust a',
    remedy: { do: 'trust', server: 'a' },
  });
  expect(nextStep(undefined)).toEqual({});
});

test('an error travels with its remedy, and its next step is always that of the remedy', () => {
  const error = new PlugError('disabled', 'Off.', { owner: 'you', remedy: { do: 'enable', server: 'a' } });
  expect(error.next).toBe('plug enable a');
  const view = error.toView();
  expect(view).toMatchObject({ next: 'plug enable a', remedy: { do: 'enable', server: 'a' } });
  expect(PlugError.fromView(structuredClone(view)).toView()).toEqual(view);
});

test('a model is told what happened and the next step in one text', () => {
  expect(toldToModel('Off.', { do: 'retry' })).toBe('Off. Next: Try again in a moment.');
  expect(toldToModel('Off.', undefined)).toBe('Off.');
});
