import { answerOf } from './problems.ts'

type Page<T> = { readonly data: readonly T[]; readonly nextCursor: string | null }
type Result<T> = { data?: Page<T>; error?: unknown; response: Response }

/**
 * All entries of a list, page by page as they are needed. `page` asks for the page behind a cursor, the
 * first one without. Throws `MoorageError` where the API refuses.
 */
export async function* entriesOf<T>(
  page: (cursor: { cursor?: string }) => Promise<Result<T>>,
): AsyncGenerator<T, void, undefined> {
  let cursor: string | null = null
  do {
    const answer: Page<T> = await answerOf(page(cursor === null ? {} : { cursor }))
    yield* answer.data
    cursor = answer.nextCursor
  } while (cursor !== null)
}
