import { answerOf, type Moorage, MoorageError, moorage } from '@moorage/client'
import { queryOptions } from '@tanstack/react-query'
import { boot } from './boot.ts'
import { accessToken, forgetToken } from './session.ts'

/** The public API, as the person who is signed in. */
export const client: Moorage = moorage({
  url: location.origin,
  credential: accessToken,
  language: boot.locale,
  fetch: sentWithSession,
})

/** A token that ended early (a changed password, a clock that stood still) is replaced once. */
async function sentWithSession(request: Request): Promise<Response> {
  const again = request.clone()
  const answer = await fetch(request)
  if (answer.status !== 401) return answer
  forgetToken()
  again.headers.set('authorization', `Bearer ${await accessToken()}`)
  return fetch(again)
}

type Answer<T> = Promise<{ data?: T; error?: unknown; response: Response }>

/** A read of the API for `useQuery`: `key` names it, and begins with what changes it. */
export function read<T>(key: readonly unknown[], call: (signal: AbortSignal) => Answer<T>) {
  return queryOptions({
    queryKey: key,
    queryFn: ({ signal }) => answerOf(call(signal)),
  })
}

/** Requests JSON from a route that can also answer CSV. */
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
