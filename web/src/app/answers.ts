import type { QueryClient } from '@tanstack/react-query'
import { readiness } from '../api/admin-reads.ts'
import type { Boot } from '../api/boot.ts'
import { me, services, summary, unread } from '../api/reads.ts'
import { invoicesKey } from '../areas/billing/reads.ts'
import { attention, dashboard, recurring } from '../areas/home/admin/reads.ts'
import { ownIncidents } from '../areas/incidents/reads.ts'
import { newest } from '../areas/notifications/index.ts'
import { service } from '../areas/services/reads.ts'

/** Puts the responses that came with the page into the query cache; screens read them again later as usual. */
export function cacheAnswers(queries: QueryClient, answers: Boot['answers']): void {
  const keep = (queryKey: readonly unknown[], answer: unknown) => {
    if (answer !== undefined) queries.setQueryData(queryKey, answer)
  }
  keep(me.queryKey, answers.me)
  keep(services.queryKey, answers.services)
  keep(summary.queryKey, answers.summary)
  keep(unread.queryKey, answers.unread)
  keep(newest.queryKey, answers.newest)
  keep(ownIncidents.queryKey, answers.incidents)
  keep(attention.queryKey, answers.attention)
  keep(dashboard.queryKey, answers.dashboard)
  keep(recurring.queryKey, answers.recurring)
  keep(readiness.queryKey, answers.readiness)
  if (answers.service) keep(service(answers.service.id).queryKey, answers.service)
  if (answers.invoices) {
    keep(invoicesKey('all'), { pages: [answers.invoices], pageParams: [null] })
  }
}
