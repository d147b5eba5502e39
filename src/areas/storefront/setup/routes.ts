import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { Body } from '#lib/schema.ts'
import type { Routes } from '#platform/http/index.ts'
import { readCookie, writeCookie } from '#platform/pages/cookies.ts'
import { errorsOf } from '../accounts/routes.ts'
import { begin, type SignedIn } from '../accounts/session.ts'
import { guarded } from '../guarded.ts'
import { Refusal, refusalOf, sendPage, type Visit, visitsOf } from '../visit.ts'
import { donePage, linkPage, ownerPage } from './page.ts'

type SetupState = { readonly needed: boolean; readonly tokenValid: boolean | null }

const Text = (maxLength: number) => Type.String({ maxLength })
const NewOwner = Body({ name: Text(200), email: Text(254), password: Text(200) })

/**
 * Creates the first administrator with the link that the service prints. The token is moved to a cookie at
 * once, so that neither the address bar nor the history contains it.
 */
export const setupPages: Routes = (app, deps) => {
  const visitOf = visitsOf(app, deps)
  const page = guarded(app, deps, { access: 'public', hidden: true })

  page('GET', '/setup', async (request, reply) => {
    const { token: linked } = request.query as Record<string, unknown>
    if (typeof linked === 'string' && linked !== '') return keep(request, reply, linked)
    const visit = await visitOf(request, reply)
    const token = readCookie(request, 'setup')
    const query = token === null ? '' : `?token=${encodeURIComponent(token)}`
    const state = await visit.call<SetupState>('GET', `/v1/setup${query}`)
    if (!state.needed) return over(visit, request, reply)
    if (token === null) return sendPage(request, reply, linkPage(visit))
    if (!state.tokenValid) return stale(visit, request, reply)
    return sendPage(request, reply, ownerPage(visit, { values: { name: '', email: '' } }))
  })

  page(
    'POST',
    '/setup/link',
    async (request, reply) => {
      const { token } = request.body as { token: string }
      return keep(request, reply, tokenIn(token))
    },
    { body: Body({ token: Text(500) }) },
  )

  page(
    'POST',
    '/setup',
    async (request, reply) => {
      const { name, email, password } = request.body as Record<
        'name' | 'email' | 'password',
        string
      >
      const visit = await visitOf(request, reply)
      const token = readCookie(request, 'setup')
      if (token === null) return sendPage(request, reply.code(401), linkPage(visit))
      try {
        const body = { token, name, email, password }
        const signedIn = await visit.call<SignedIn>('POST', '/v1/setup', { body })
        const locale = { body: { locale: visit.look.locale }, token: signedIn.accessToken }
        // If the language cannot be saved, it can be chosen later: the administrator already exists.
        await refusalOf(visit.call('PATCH', '/v1/users/me', locale))
        await begin(deps, visit, { request, reply }, signedIn)
        writeCookie(request, reply, 'setup', '')
        return reply.redirect('/admin', 303)
      } catch (error) {
        if (!(error instanceof Refusal) || error.status >= 500) throw error
        if (error.status === 404) return over(visit, request, reply)
        if (error.status === 401 || error.status === 410) return stale(visit, request, reply)
        const errors = errorsOf(error)
        const message = error.details.length > 0 ? null : error.message
        const shown = ownerPage(visit, { values: { name, email }, errors, message })
        return sendPage(request, reply.code(error.status), shown)
      }
    },
    { body: NewOwner },
  )
}

/** Moves a token from the URL to the cookie and redirects without it. */
function keep(request: FastifyRequest, reply: FastifyReply, token: string): FastifyReply {
  writeCookie(request, reply, 'setup', token.slice(0, 200))
  return reply.header('referrer-policy', 'no-referrer').redirect('/setup', 303)
}

function stale(visit: Visit, request: FastifyRequest, reply: FastifyReply) {
  writeCookie(request, reply, 'setup', '')
  return sendPage(request, reply.code(401), linkPage(visit, { isStale: true }))
}

function over(visit: Visit, request: FastifyRequest, reply: FastifyReply) {
  writeCookie(request, reply, 'setup', '')
  return sendPage(request, reply.code(410), donePage(visit))
}

/** The token of a pasted link, or of a token that was pasted alone. */
function tokenIn(pasted: string): string {
  return /[\w-]+\s*$/.exec(pasted)?.[0].trim() ?? ''
}
