import { Type } from 'typebox'
import { Body } from '#lib/schema.ts'
import type { Routes } from '#platform/http/index.ts'
import { guarded } from '../guarded.ts'
import { faultPage } from '../parts/problems.ts'
import { Refusal, sendPage, type Visit, visitsOf } from '../visit.ts'
import { type Invitation, invitationPage, overPage } from './page.ts'

const Answer = Body({ answer: Type.Union([Type.Literal('accept'), Type.Literal('decline')]) })

/**
 * Invitations to servers: the mailed link shows one, buttons accept or decline it. The API that these pages call counts
 * attempts to guess links.
 */
export const invitationPages: Routes = (app, deps) => {
  const visitOf = visitsOf(app, deps)
  const page = guarded(app, deps, { access: 'public', hidden: true })
  const apiPath = (token: string) => `/v1/invitations/${encodeURIComponent(token)}`

  page('GET', '/i/:token', async (request, reply) => {
    const { token = '' } = request.params as Record<string, string>
    const visit = await visitOf(request, reply)
    const found = await invitationOf(visit, apiPath(token))
    const shown = found ? invitationPage(visit, token, found) : overPage(visit, null)
    const headers = { ...shown.headers, 'referrer-policy': 'no-referrer' }
    // Without a referrer, a form sends no origin, and our origin check would refuse it.
    const hasForm = found?.status === 'pending' && found.forMe === true
    const sent = hasForm ? shown : { ...shown, headers }
    return sendPage(request, found ? reply : reply.code(404), sent)
  })

  page(
    'POST',
    '/i/:token',
    async (request, reply) => {
      const { token = '' } = request.params as Record<string, string>
      const { answer } = request.body as { answer: 'accept' | 'decline' }
      const visit = await visitOf(request, reply)
      const found = await invitationOf(visit, apiPath(token))
      try {
        await visit.call('POST', `${apiPath(token)}/${answer}`)
      } catch (error) {
        if (!(error instanceof Refusal) || error.status >= 500) throw error
        const isOver = error.status === 410 || error.status === 404
        const shown = isOver ? overPage(visit, found) : faultPage(visit, error.message)
        return sendPage(request, reply.code(error.status), shown)
      }
      return reply.redirect(answer === 'accept' ? '/servers' : '/', 303)
    },
    { body: Answer },
  )
}

async function invitationOf(visit: Visit, path: string): Promise<Invitation | null> {
  try {
    return await visit.call<Invitation>('GET', path)
  } catch (error) {
    if (error instanceof Refusal && (error.status === 404 || error.status === 410)) return null
    throw error
  }
}
