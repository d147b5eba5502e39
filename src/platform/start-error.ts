/**
 * The service, or a command, cannot start or go on, and a person can fix that: the message contains what
 * is wrong and what to do. The command line prints only the message, and the cause too with
 * `LOG_LEVEL=debug`.
 */
export class StartError extends Error {}

/** The message of an error, without a full stop at its end. */
export function reasonOf(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).replace(/\.$/, '')
}
