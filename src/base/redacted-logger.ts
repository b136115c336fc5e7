import type { LogFields, Logger } from './logger.ts';
import type { Redactor } from './redact.ts';

/** A logger whose records hold no secret, whoever writes them. */
export function redactedLogger(logger: Logger, redactor: Redactor): Logger {
  const pass =
    (level: keyof Logger) =>
    (message: string, fields?: LogFields): void =>
      logger[level](redactor.redactText(message), fields && redactor.redactValue(fields));
  return { debug: pass('debug'), info: pass('info'), warn: pass('warn'), error: pass('error') };
}
