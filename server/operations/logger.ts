import { type DestinationStream, destination, type Logger as PinoLogger, pino, stdTimeFunctions } from 'pino';
import { redact, redactEntry, redactText } from './redaction.ts';

/** The log of the process: one JSON object a line. */
export type Logger = PinoLogger;

/** Least important first; `silent` writes nothing. */
export const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

const STANDARD_ERROR = 2;

/**
 * Creates the log. It goes to standard error, so that standard output stays for people.
 * Secrets and mail bodies never reach it: neither by their name, at any depth, nor inside a text.
 */
export function createLogger(level: LogLevel, stream: DestinationStream = standardError()): Logger {
  return pino(
    {
      level,
      base: {},
      timestamp: stdTimeFunctions.isoTime,
      formatters: {
        level: (label) => ({ level: label }),
        log: (entry) => redactEntry(entry),
        bindings: (entry) => redactEntry(entry),
      },
      // The entry has been redacted as a whole; pino's own error serializer would add the driver's properties again.
      serializers: { err: redact },
      // The message and its parameters are only text once the line is built.
      hooks: { streamWrite: redactText },
    },
    stream,
  );
}

function standardError(): DestinationStream {
  return destination({ fd: STANDARD_ERROR, sync: true });
}
