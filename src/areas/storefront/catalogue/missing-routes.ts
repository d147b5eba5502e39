import type { Routes } from '#platform/http/index.ts'
import { sendPage, visitsOf } from '../visit.ts'
import { missingPage } from './missing.ts'

/** What a browser gets at a path that no route has; others got a JSON error before it comes to this. */
export const missingRoutes: Routes = (app, deps) => {
  const visitOf = visitsOf(app, deps)
  app.setNotFoundHandler(async (request, reply) => {
    const visit = await visitOf(request, reply)
    return sendPage(request, reply.code(404), await missingPage(visit))
  })
}
