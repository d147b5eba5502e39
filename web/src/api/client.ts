import { answerOf, entriesOf, type Moorage, MoorageError, moorage } from '@moorage/client'
import { queryOptions } from '@tanstack/react-query'
import { loadTexts } from '../texts/index.tsx'
import { boot } from './boot.ts'
import { accessToken, forgetToken } from './session.ts'

/** The public API, as the person who is signed in. */
export const client: Moorage = moorage({
  url: location.origin,
  credential: accessToken,
  language: boot.locale,
  fetch: sentBy((request) => fetch(request)),
})

type Send = (request: Request) => Promise<Response>

/** Sends requests as `send` does. A token that became invalid early (a changed password, a clock that stopped) is replaced once. */
export function sentBy(send: Send): Send {
  return async (request) => {
    const again = request.clone()
    const answer = await send(request)
    if (answer.status !== 401) return withSentence(answer)
    forgetToken()
    again.headers.set('authorization', `Bearer ${await accessToken()}`)
    return withSentence(await send(again))
  }
}

/** A refusal with a sentence for people: one that a proxy sent in place of the service gets it here, in the page's language. */
async function withSentence(answer: Response): Promise<Response> {
  const isOurs = answer.headers.get('content-type')?.startsWith('application/json')
  if (answer.status < 400 || isOurs) return answer
  const { status } = answer
  const { common } = await loadTexts(boot.locale)
  const refused = status === 413 ? common.tooLarge : common.refusedBefore(String(status))
  const headers = new Headers(answer.headers)
  headers.set('content-type', 'application/json')
  const body = JSON.stringify({ message: status >= 500 ? common.unreached : refused })
  return new Response(body, { status, headers })
}

type Answer<T> = Promise<{ data?: T; error?: unknown; response: Response }>
type Listed<T> = { readonly data: readonly T[]; readonly nextCursor: string | null }

/** All pages of a list for `useQuery`: for short lists that are chosen from. */
export function readAll<T>(
  key: readonly unknown[],
  page: (query: { limit: number; cursor?: string }, signal: AbortSignal) => Answer<Listed<T>>,
) {
  return queryOptions({
    queryKey: key,
    queryFn: async ({ signal }) => {
      const entries: T[] = []
      for await (const it of entriesOf<T>((cursor) => page({ limit: 100, ...cursor }, signal))) {
        entries.push(it)
      }
      return entries
    },
  })
}

/** A read of the API for `useQuery`: `key` identifies it, and begins with the kind of object that changes it. */
export function read<T>(key: readonly unknown[], call: (signal: AbortSignal) => Answer<T>) {
  return queryOptions({
    queryKey: key,
    queryFn: ({ signal }) => answerOf(call(signal)),
  })
}

/** Requests JSON from a route that can also return CSV. */
export function readJson<T extends object>(
  key: readonly unknown[],
  call: (signal: AbortSignal) => Answer<T | string | Blob>,
) {
  return queryOptions({
    queryKey: key,
    queryFn: async ({ signal }): Promise<T> => {
      const answer = await answerOf(call(signal))
      if (typeof answer === 'string' || answer instanceof Blob) {
        throw new TypeError('JSON was asked for, and text came.')
      }
      return answer
    },
  })
}

export { answerOf, MoorageError }
