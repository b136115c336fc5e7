import type { Clock } from './clock.ts';
import type { Redactor } from './redact.ts';

export type LogLevel = 'debug' | 'info' | 'warn' | 'error';
export type LogFields = Readonly<Record<string, unknown>>;

export interface Logger {
  debug(message: string, fields?: LogFields): void;
  info(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  error(message: string, fields?: LogFields): void;
}

const ORDER: readonly LogLevel[] = ['debug', 'info', 'warn', 'error'];

/** One JSON record a line: a newline inside a value can never forge a second record. */
export function jsonLogger(options: {
  readonly clock: Clock;
  readonly level: LogLevel;
  readonly write: (line: string) => void;
}): Logger {
  const log = (level: LogLevel, message: string, fields: LogFields = {}): void => {
    if (ORDER.indexOf(level) < ORDER.indexOf(options.level)) return;
    const at = new Date(options.clock.now()).toISOString();
    options.write(`${JSON.stringify({ at, level, message, ...fields })}\n`);
  };
  return {
    debug: (message, fields) => log('debug', message, fields),
    info: (message, fields) => log('info', message, fields),
    warn: (message, fields) => log('warn', message, fields),
    error: (message, fields) => log('error', message, fields),
  };
}

export const silentLogger: Logger = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
};

/** A logger whose records hold no secret, whoever writes them. */
export function redactedLogger(logger: Logger, redactor: Redactor): Logger {
  const pass =
    (level: keyof Logger) =>
    (message: string, fields?: LogFields): void =>
      logger[level](redactor.redactText(message), fields && redactor.redactValue(fields));
  return { debug: pass('debug'), info: pass('info'), warn: pass('warn'), error: pass('error') };
}
