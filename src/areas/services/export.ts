import type { UserKey } from '#platform/area.ts'
import type { Db } from '#platform/database/index.ts'
import { listServicesOf } from './queries.ts'
import { viewOf } from './rules.ts'

const PAGE = 100

/**
 * The services of a person for the export of their data, own and shared ones, as the person sees them;
 * with the values chosen for their own. Page by page, so that they are never all in memory.
 */
export async function* servicesOf(db: Db, user: UserKey) {
  let cursor: string | null | undefined
  do {
    const page = await listServicesOf(db, user, { limit: PAGE, ...(cursor && { cursor }) })
    for (const row of page.data) {
      yield { ...viewOf(row), environment: row.role === 'owner' ? row.environment : null }
    }
    cursor = page.nextCursor
  } while (cursor)
}
