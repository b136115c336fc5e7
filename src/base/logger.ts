import type { Clock } from './clock.ts';
import type { Redactor } from './redact.ts';

export type LogLevel = 'debug' | 'info' | 'warn' | 'error';
export type LogFields = Readonly<Record<string, unknown>>;

export type Logger = Readonly<Record<LogLevel, (message: string, fields?: LogFields) => void>>;

const ORDER: readonly LogLevel[] = ['debug', 'info', 'warn', 'error'];

/** One JSON record per line: a newline inside a value can't forge a second record. */
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
  return loggerOf((level) => (message, fields) => log(level, message, fields));
}

export const silentLogger: Logger = loggerOf(() => () => undefined);

export function redactedLogger(logger: Logger, redactor: Redactor): Logger {
  return loggerOf(
    (level) => (message, fields) =>
      logger[level](redactor.redactText(message), fields && redactor.redactValue(fields)),
  );
}

function loggerOf(logAt: (level: LogLevel) => (message: string, fields?: LogFields) => void): Logger {
  return { debug: logAt('debug'), info: logAt('info'), warn: logAt('warn'), error: logAt('error') };
}
