import type { Routes } from '#platform/http/index.ts'
import { sharedPages } from '../shared-pages.ts'

/** What a browser gets at a path that no route has; others got a JSON error before it comes to this. */
export const missingRoutes: Routes = (app, deps) => {
  app.setNotFoundHandler(sharedPages(app, deps).missing)
}
