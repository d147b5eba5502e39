import { Type } from 'typebox'
import type { Routes } from '#platform/http/index.ts'
import { sendFile } from '#platform/http/request.ts'
import { guarded } from '../guarded.ts'
import { sharedPages } from '../shared-pages.ts'
import { sendPage, visitsOf } from '../visit.ts'
import { historyOf, incidentAt, statusOf } from './data.ts'
import { statusFeed } from './feed.ts'
import { historyPage, incidentPage, statusPage } from './page.ts'

const ID = '/status/:id(^[0-9a-f-]{36}$)'
const FOR_A_MINUTE = 'public, max-age=60'

/** The state of the shop, for everyone; it needs no script. */
export const statusPages: Routes = (app, deps) => {
  const visitOf = visitsOf(app, deps)
  const { page: shared, missing } = sharedPages(app, deps)
  const page = guarded(app, deps, { access: 'public', hidden: true })

  page('GET', '/status', async (request, reply) => {
    const { cursor } = request.query as Record<string, unknown>
    if (typeof cursor === 'string') {
      const visit = await visitOf(request, reply)
      return sendPage(request, reply, historyPage(visit, await historyOf(visit, cursor)))
    }
    return shared(request, reply, async (visit) => {
      if (!visit.hasStatus) return { missing: null }
      const [status, history] = await Promise.all([statusOf(visit), historyOf(visit, null)])
      return { page: statusPage(visit, status, history) }
    })
  })

  page('GET', '/status/feed.atom', async (request, reply) => {
    const visit = await visitOf(request, reply)
    if (!visit.hasStatus) return missing(request, reply)
    const [status, history] = await Promise.all([statusOf(visit), historyOf(visit, null)])
    reply.headers({ 'cache-control': FOR_A_MINUTE, vary: 'accept-language, cookie' })
    return sendFile(reply, 'application/atom+xml', statusFeed(visit, status, history))
  })

  page(
    'GET',
    ID,
    (request, reply) => {
      const { id } = request.params as { id: string }
      return shared(request, reply, async (visit) => {
        const incident = await incidentAt(visit, id)
        return incident ? { page: incidentPage(visit, incident) } : { missing: null }
      })
    },
    { params: Type.Object({ id: Type.String() }) },
  )
}
