import type { Static } from 'typebox'
import type { Area } from '#platform/area.ts'
import { onEvent } from '#platform/events.ts'
import { emailVerificationRequested, openMailedToken, passwordResetRequested } from '#users'
import { type TestApp, until } from './app.ts'

type Asked = Static<typeof emailVerificationRequested.payload> & { purpose: 'verify' | 'reset' }

/** The links that mails would carry: an area to start the service with, and the tokens it heard of. */
export type Links = {
  readonly area: Area
  readonly asked: readonly Asked[]
  /** The token of the newest link of a purpose to an address, as its mail shows it; waits for another one `besides`. */
  newest(app: TestApp, purpose: Asked['purpose'], email: string, besides?: string): Promise<string>
}

export function hearLinks(): Links {
  const asked: Asked[] = []
  const verify = onEvent(emailVerificationRequested, 'test.hear-verify', async (_, payload) => {
    asked.push({ ...payload, purpose: 'verify' })
  })
  const reset = onEvent(passwordResetRequested, 'test.hear-reset', async (_, payload) => {
    asked.push({ ...payload, purpose: 'reset' })
  })
  return {
    area: { name: 'test', jobs: [verify, reset] },
    asked,
    newest({ deps }, purpose, email, besides) {
      return until(`a ${purpose} link to ${email}`, () => {
        const link = asked.findLast((it) => it.purpose === purpose && it.email === email)
        const token = link && openMailedToken(deps.secrets, link)
        return token !== besides && token
      })
    },
  }
}
