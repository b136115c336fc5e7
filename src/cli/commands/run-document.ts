import { readFile, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { defined } from '../../base/defined.ts';
import { messageOf, toPlugError, type PlugError } from '../../base/errors.ts';
import { shellWords } from '../../base/shell-words.ts';
import type { ChatOutcome, ChatRequest, Hub } from '../../hub/hub.ts';
import { isLockedVault } from '../../vault/locked.ts';
import { checkServers } from '../chat/models.ts';
import { openAnswerFile, type AnswerFile } from '../documents/answer-file.ts';
import { documentLimits, parseDocument, type PromptDocument } from '../documents/document.ts';
import { ApprovalAnswers, describeGrant } from '../documents/grants.ts';
import { ShownTurn } from '../documents/show-turn.ts';
import { exitCodeOf, exitCodes, type ExitCode } from '../exit-codes.ts';
import { userError } from '../failures.ts';
import { DONE, FAILED, WARNING, faint } from '../output.ts';
import { renderError } from '../render/error.ts';
import type { HubSession, Session } from '../session.ts';

export interface RunArgs {
  readonly file: string;
  readonly output?: string;
  readonly model?: string;
  readonly servers?: readonly string[];
  readonly yesReads?: boolean;
  readonly acceptGrants?: boolean;
}

/** Answers a prompt from a file. Nobody is asked: calls not allowed beforehand are refused. */
export async function runDocument(args: RunArgs, session: HubSession): Promise<ExitCode> {
  const { hub } = session;
  const document = parseDocument(await readPrompt(args.file, session), shownName(args));
  if (document.grants.length > 0 && args.acceptGrants !== true) throw grantsWanted(document, args);
  const { output, file } = args;
  const named = args.servers ?? document.servers;
  const servers = named === undefined ? undefined : await checkServers(hub, named);
  const answerFile =
    output === undefined
      ? undefined
      : await openAnswerFile(output, file === '-' ? undefined : file, session.cwd);
  const answers = new ApprovalAnswers(hub, { yesReads: args.yesReads ?? false, grants: document.grants });
  const shown = new ShownTurn(session, { streams: answerFile === undefined && !session.out.json });
  const outcome = await turn(hub, requestOf(document, args, servers), { answers, shown, session });
  if (session.signal.aborted) return exitCodes.interrupted;
  return await finish(
    { ...outcome, refused: merged(outcome, answers) },
    { answerFile, args, shown, session },
  );
}

interface Turn {
  readonly answers: ApprovalAnswers;
  readonly shown: ShownTurn;
  readonly session: Session;
}

async function turn(hub: Hub, request: ChatRequest, { answers, shown, session }: Turn): Promise<ChatOutcome> {
  const signal = AbortSignal.any([session.signal, answers.signal]);
  try {
    return await session.out.working('Waiting for the model', () =>
      hub.chat.turn(request, {
        signal,
        onProgress: (event) => {
          if (event.kind === 'approval') answers.answer(event.approval);
          else shown.show(event);
        },
      }),
    );
  } catch (error) {
    throw answers.signal.aborted ? toPlugError(answers.signal.reason) : unasked(error);
  } finally {
    await answers.settled();
    shown.end();
  }
}

/** Whoever runs a document is never asked, so also not for the passphrase of the vault. */
function unasked(error: unknown): unknown {
  const failure = toPlugError(error);
  if (!isLockedVault(failure)) return error;
  return userError(failure.code, failure.message, { remedy: { do: 'unlock-vault' }, cause: error });
}

function requestOf(
  document: PromptDocument,
  args: RunArgs,
  servers: readonly string[] | undefined,
): ChatRequest {
  const { prompt, mode, profile, instructions } = document;
  const model = args.model ?? document.model;
  return {
    messages: [{ role: 'user', content: prompt }],
    approval: 'wait',
    ...defined({ model, servers, mode, profile, instructions }),
  };
}

/** What we refused, and what the hub refused before it could ask us. */
function merged({ refused }: ChatOutcome, answers: ApprovalAnswers): ChatOutcome['refused'] {
  const own = answers.refused;
  const known = new Set(own.map(({ next }) => next));
  return [...own, ...refused.filter(({ next }) => !known.has(next))];
}

interface Finish {
  readonly answerFile: AnswerFile | undefined;
  readonly args: RunArgs;
  readonly shown: ShownTurn;
  readonly session: Session;
}

async function finish(outcome: ChatOutcome, { answerFile, args, shown, session }: Finish): Promise<ExitCode> {
  const { out } = session;
  const { end, refused, error, text } = outcome;
  out.document(outcome);
  if (end === 'cut') return cut(outcome, args, session);
  await answerFile?.write(`${text.trimEnd()}\n`);
  if (answerFile && !out.json) {
    out.note(DONE, `The answer is in ${args.output ?? ''}.`);
  }
  tellRefused(refused, session);
  if (end !== 'done' && !out.json) {
    const why =
      error?.message ??
      (end === 'length' ? 'It was longer than the model may write.' : 'It took too many steps.');
    out.note(FAILED, `The answer is not complete. ${why}`);
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
    message: 'The model did not finish its answer.',
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
  out.note(WARNING, 'Not done, for want of an approval:');
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
    `${shownName(args)} asks for grants, so nothing ran. If you agree to them, accept them for this run.`,
    {
      remedy: { do: 'type', line: shellWords([...commandOf(args), '--accept-grants']) },
      details: { grants, asked: grants.map(describeGrant) },
    },
  );
}

function commandOf({ file, output, model, servers, yesReads }: RunArgs): readonly string[] {
  return [
    'plug',
    'run',
    file,
    ...(output === undefined ? [] : ['-o', output]),
    ...(model === undefined ? [] : ['--model', model]),
    ...(servers === undefined ? [] : ['--servers', servers.join(',')]),
    ...(yesReads === true ? ['--yes-reads'] : []),
  ];
}
