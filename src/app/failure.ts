import { StartError } from '#platform/start-error.ts'

/**
 * Runs a command. A mistake that the person at the terminal can fix ends it with one sentence; a fault of the
 * program, and `LOG_LEVEL=debug`, with the stack trace as well.
 */
export function mending<Context>(
  run: (context: Context) => void | Promise<void>,
  exitCode = 1,
): (context: Context) => Promise<void> {
  return async (context) => {
    try {
      await run(context)
    } catch (error) {
      tell(error)
      process.exit(exitCode)
    }
  }
}

function tell(error: unknown): void {
  const debugs = ['debug', 'trace'].includes(process.env.LOG_LEVEL ?? '')
  if (error instanceof StartError && !debugs) console.error(error.message)
  else console.error(error)
}
