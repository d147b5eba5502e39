import type { Routes } from '#platform/http/index.ts'
import { guarded } from '../guarded.ts'
import { sendPage, visitsOf } from '../visit.ts'
import { type News, newsPage } from './page.ts'

/** The news of the shop. */
export const newsPages: Routes = (app, deps) => {
  const visitOf = visitsOf(app, deps)
  const page = guarded(app, deps, { access: 'public', hidden: true })

  page('GET', '/news', async (request, reply) => {
    const { cursor } = request.query as Record<string, unknown>
    const visit = await visitOf(request, reply)
    const where = new URLSearchParams({ limit: '20', locale: visit.look.locale })
    if (typeof cursor === 'string') where.set('cursor', cursor)
    const path = `/v1/news?${where.toString()}`
    const news = await visit.call<{ data: News[]; nextCursor: string | null }>('GET', path)
    return sendPage(request, reply, newsPage(visit, news))
  })
}
