import type { Routes } from '#platform/http/index.ts'
import { sharedPages } from '../shared-pages.ts'

/** The page that a browser gets for a path without a route; other clients got a JSON error before this. */
export const missingRoutes: Routes = (app, deps) => {
  app.setNotFoundHandler(sharedPages(app, deps).missing)
}
