import type { components } from './api.ts'

/** What the API answers where it refuses: a code to act on, a sentence for people, and where it lies. */
export type ProblemBody = components['schemas']['Problem']

/** An answer that was not a success. `code` is one of the documented ones; see docs/errors.md. */
export class MoorageError extends Error {
  override readonly name = 'MoorageError'
  readonly status: number
  readonly code: ProblemBody['code'] | 'unreadable'
  readonly details: NonNullable<ProblemBody['details']>
  /** Names the request in the logs of the service. */
  readonly requestId: string | null

  constructor(response: Response, body: unknown) {
    const problem = (typeof body === 'object' && body !== null ? body : {}) as Partial<ProblemBody>
    super(problem.message ?? `The service answered ${response.status}.`)
    this.status = response.status
    this.code = problem.code ?? 'unreadable'
    this.details = problem.details ?? []
    this.requestId = response.headers.get('x-request-id')
  }
}

type Result<T> = { data?: T; error?: unknown; response: Response }

/** What a call answered. Throws `MoorageError` where the API refused it. */
export async function answerOf<T>(call: Promise<Result<T>>): Promise<T> {
  const { data, error, response } = await call
  if (!response.ok) throw new MoorageError(response, error)
  // A success without a body has the type `undefined`.
  return data as T
}
