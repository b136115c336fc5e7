import { nextStep, remedyOf } from './remedy-command.ts';
import type { NextStep, Remedy } from './remedy.ts';

/** Whose move it is: the person at the keyboard, the MCP server, the network, a registry, or us. */
export type Owner = 'you' | 'server' | 'network' | 'registry' | 'plugboard';

/** Every failure that a face can meet. Faces map these codes once, exhaustively. */
export type ErrorCode =
  | 'usage' // the request itself makes no sense
  | 'bad_config' // a definition or a config file is wrong
  | 'bad_arguments' // arguments do not fit the tool's schema
  | 'not_found' // no such server, tool, resource, prompt, profile
  | 'already_exists'
  | 'disabled' // the server is switched off
  | 'untrusted' // a project file's entry waits for the user's trust
  | 'missing_command' // the executable is nowhere on the PATH
  | 'missing_input' // a placeholder could not be resolved
  | 'sign_in_needed'
  | 'approval_required'
  | 'denied'
  | 'start_failed' // the process or the handshake failed
  | 'start_timeout'
  | 'crashed' // the process ended while it was needed
  | 'unreachable' // network: refused, DNS, TLS
  | 'rate_limited'
  | 'protocol_error' // the server broke the MCP rules
  | 'server_error' // the server answered with a JSON-RPC error
  | 'unsupported' // the server does not offer this capability
  | 'call_timeout'
  | 'cancelled'
  | 'too_large'
  | 'unavailable' // breaker open, shutting down, limits reached
  | 'hub_unavailable' // no hub answers on the socket
  | 'storage_failed'
  | 'internal';

export interface PlugErrorOptions {
  readonly owner: Owner;
  /** What to do next, if there is something; a text is advice that is no action of ours. */
  readonly remedy?: Remedy | string | undefined;
  readonly server?: string;
  /** Machine-readable particulars; must be JSON and free of secrets. */
  readonly details?: Readonly<Record<string, unknown>>;
  readonly cause?: unknown;
}

/** What travels over the API and into `--json` output. */
export interface ErrorView extends NextStep, Pick<PlugErrorOptions, 'owner' | 'server' | 'details'> {
  readonly code: ErrorCode;
  readonly message: string;
}

/** The one error of this project. Branch on `code`, never on `message`. */
export class PlugError extends Error {
  override readonly name = 'PlugError';
  readonly code: ErrorCode;
  readonly owner: Owner;
  readonly remedy: Remedy | undefined;
  readonly server: string | undefined;
  readonly details: Readonly<Record<string, unknown>> | undefined;

  constructor(code: ErrorCode, message: string, options: PlugErrorOptions) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.owner = options.owner;
    this.remedy = remedyOf(options.remedy);
    this.server = options.server;
    this.details = options.details;
  }

  get next(): string | undefined {
    return nextStep(this.remedy).next;
  }

  toView(): ErrorView {
    return {
      code: this.code,
      message: this.message,
      owner: this.owner,
      ...nextStep(this.remedy),
      ...(this.server === undefined ? {} : { server: this.server }),
      ...(this.details === undefined ? {} : { details: this.details }),
    };
  }

  static fromView(view: ErrorView): PlugError {
    return new PlugError(view.code, view.message, view);
  }
}

/** Turns anything thrown into a PlugError; a foreign error becomes `internal`, with its cause kept. */
export function toPlugError(error: unknown): PlugError {
  if (error instanceof PlugError) return error;
  return new PlugError('internal', messageOf(error), { owner: 'plugboard', cause: error });
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

export function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}

/** States an invariant of ours; its failure is a bug, not an outcome. */
export function assert(condition: unknown, message: string): asserts condition {
  if (!condition) throw new Error(`Invariant broken: ${message}`);
}

/** Marks a promise whose failure is of no interest, and says why. */
export function ignore(promise: Promise<unknown>, why: string): void {
  void why;
  promise.then(undefined, () => undefined);
}
