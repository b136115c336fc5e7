import { readFile, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { defined } from '../../base/defined.ts';
import { messageOf, toPlugError, type PlugError } from '../../base/errors.ts';
import { shellWords } from '../../base/shell-words.ts';
import type { ChatEvent, ChatOutcome, ChatRequest } from '../../hub/hub.ts';
import { isLockedVault } from '../../vault/locked.ts';
import { findAccounts } from '../chat/accounts.ts';
import { checkServers } from '../chat/models.ts';
import { ShownTurn, openAnswerFile } from '../documents/answer.ts';
import { documentLimits, parseDocument, type PromptDocument } from '../documents/document.ts';
import { ApprovalAnswers, describeGrant } from '../documents/grants.ts';
import { exitCodeOf, exitCodes, type ExitCode } from '../exit-codes.ts';
import { userError } from '../failures.ts';
import { DONE, FAILED, WARNING, faint } from '../output.ts';
import { renderError } from '../render/error.ts';
import type { Flags, HubSession, Session, Texts } from '../session.ts';

interface RunArgs extends Texts<'output' | 'model'>, Flags<'yesReads' | 'acceptGrants'> {
  /** `-` is standard input. */
  readonly file: string;
  readonly servers?: readonly string[];
  readonly account?: readonly string[];
}

/** Answers a prompt from a file. Never asks: calls not allowed beforehand are refused. */
export async function runDocument(args: RunArgs, session: HubSession): Promise<ExitCode> {
  const { hub, out, signal, cwd } = session;
  const { output, file, yesReads = false } = args;
  const document = parseDocument(await readPrompt(file, session), shownName(args));
  if (document.grants.length > 0 && args.acceptGrants !== true) throw grantsWanted(document, args);
  const { prompt, grants, mode, profile, instructions } = document;
  const model = args.model ?? document.model;
  const named = args.servers ?? document.servers;
  const servers = named === undefined ? undefined : await checkServers(hub, named);
  const accounts = await findAccounts(hub, args.account, servers);
  const asked = file === '-' ? undefined : file;
  const answerFile = output === undefined ? undefined : await openAnswerFile(output, asked, cwd);
  const answers = new ApprovalAnswers(hub, { yesReads, grants });
  const shown = new ShownTurn(session, { streams: answerFile === undefined && !out.json });
  const request: ChatRequest = {
    messages: [{ role: 'user', content: prompt }],
    approval: 'wait',
    ...defined({ model, servers, accounts, mode, profile, instructions }),
  };
  const outcome = await turn(request, answers, shown, session);
  if (signal.aborted) return exitCodes.interrupted;
  const whole = { ...outcome, refused: merged(outcome, answers) };
  out.document(whole);
  if (whole.end === 'cut') return cut(whole, args, session);
  await answerFile?.write(`${whole.text.trimEnd()}\n`);
  if (answerFile && !out.json) out.note(DONE, `The answer is in ${output ?? ''}.`);
  tellRefused(whole.refused, session);
  return finish(whole, shown, session);
}

async function turn(
  request: ChatRequest,
  answers: ApprovalAnswers,
  shown: ShownTurn,
  { hub, out, ...session }: HubSession,
): Promise<ChatOutcome> {
  const signal = AbortSignal.any([session.signal, answers.signal]);
  const onProgress = (event: ChatEvent): void =>
    event.kind === 'approval' ? answers.answer(event.approval) : shown.show(event);
  try {
    return await out.working('Waiting for the model', () => hub.chat.turn(request, { signal, onProgress }));
  } catch (error) {
    throw answers.signal.aborted ? toPlugError(answers.signal.reason) : unasked(error);
  } finally {
    await answers.settled();
    shown.end();
  }
}

/** A run never asks, not even for the vault's passphrase. */
function unasked(error: unknown): unknown {
  const failure = toPlugError(error);
  if (!isLockedVault(failure)) return error;
  return userError(failure.code, failure.message, { remedy: { do: 'unlock-vault' }, cause: error });
}

function merged({ refused }: ChatOutcome, answers: ApprovalAnswers): ChatOutcome['refused'] {
  const own = answers.refused;
  const known = new Set(own.map(({ next }) => next));
  return [...own, ...refused.filter(({ next }) => !known.has(next))];
}

function finish({ end, refused, error }: ChatOutcome, shown: ShownTurn, { out }: Session): ExitCode {
  if (end !== 'done' && !out.json) {
    const long = end === 'length' ? 'It reached the model’s output limit.' : 'It took too many steps.';
    out.note(FAILED, `The answer is incomplete. ${error?.message ?? long}`);
  }
  if (refused.length > 0) return exitCodes.approvalRequired;
  return end === 'done' ? shown.lost : exitCodes.failed;
}

/** Half an answer is not written: what a file held before is worth more. */
function cut({ error, refused, text }: ChatOutcome, { output }: RunArgs, session: Session): ExitCode {
  const { out } = session;
  const kept = output === undefined ? '' : ` ${output} was not written.`;
  const view = error ?? {
    code: 'unavailable' as const,
    message: 'The model didn’t finish its answer.',
    owner: 'server' as const,
  };
  if (!out.json) renderError({ ...view, message: `${view.message}${kept}` }, out);
  tellRefused(refused, session);
  const code = error === undefined ? exitCodes.failed : exitCodeOf(error.code);
  // A model that has begun to answer was there.
  return code === exitCodes.serverNotAvailable && text !== '' ? exitCodes.failed : code;
}

function tellRefused(refused: ChatOutcome['refused'], { out }: Session): void {
  if (out.json || refused.length === 0) return;
  out.note(WARNING, 'Skipped, approval required:');
  for (const { message } of refused) out.note(`  ${message}`);
  out.note(faint('  To allow it:'));
  const commands = refused.flatMap(({ next }) => (next === undefined ? [] : [next]));
  for (const command of new Set(commands)) out.note(`    ${command}`);
}

async function readPrompt(file: string, { terminal, cwd }: Session): Promise<string> {
  if (file === '-') return (await terminal.readBytes(documentLimits.promptBytesMax)).toString('utf8');
  const path = resolve(cwd, file);
  try {
    const { size } = await stat(path);
    if (size > documentLimits.promptBytesMax) throw new Error(`it holds ${size} bytes`);
    return await readFile(path, 'utf8');
  } catch (cause) {
    throw userError('usage', `The prompt ${file} cannot be read: ${messageOf(cause)}.`, {
      remedy: { do: 'type', line: 'plug run FILE, or plug run - for standard input' },
      cause,
    });
  }
}

function shownName({ file }: RunArgs): string {
  return file === '-' ? 'standard input' : file;
}

/** A file from somewhere must not grant itself anything. */
function grantsWanted({ grants }: PromptDocument, args: RunArgs): PlugError {
  return userError(
    'approval_required',
    `${shownName(args)} requests grants, so nothing ran. To accept them for this run, use the next command.`,
    {
      remedy: { do: 'type', line: shellWords([...commandOf(args), '--accept-grants']) },
      details: { grants, asked: grants.map(describeGrant) },
    },
  );
}

function commandOf({ file, output, model, servers, account, yesReads }: RunArgs): readonly string[] {
  return [
    'plug',
    'run',
    file,
    ...(output === undefined ? [] : ['-o', output]),
    ...(model === undefined ? [] : ['--model', model]),
    ...(servers === undefined ? [] : ['--servers', servers.join(',')]),
    ...(account === undefined ? [] : ['--account', account.join(',')]),
    ...(yesReads === true ? ['--yes-reads'] : []),
  ];
}
