import { type RawBuilder, sql } from 'kysely'
import type { Instant } from '#lib/time.ts'
import type { Db } from '#platform/database/index.ts'
import type { AttentionKind } from './schema.ts'

export type Counted = {
  kind: AttentionKind
  count: number
  oldestAt: Instant | null
  deadlineAt: Instant | null
}

const MOST_COUNTED = 1000

type Part = (tenantId: string) => RawBuilder<unknown>
const NEVER = sql`null::timestamptz`

/** The query for the pending items of each kind, with their age and deadline. Each uses its own index. */
const PARTS = {
  dispute: (tenantId) => sql`select created_at, respond_by from billing.disputes
    where tenant_id = ${tenantId} and state in ('inquiry', 'needs_response')`,
  refund: (tenantId) => sql`select created_at, ${NEVER} from billing.refunds
    where tenant_id = ${tenantId} and state = 'action_required'`,
  difference: (tenantId) => sql`select created_at, ${NEVER} from billing.breaks
    where tenant_id = ${tenantId} and resolved_at is null`,
  bank_entry: (tenantId) => sql`select created_at, ${NEVER} from billing.bank_entries
    where tenant_id = ${tenantId} and state = 'open'`,
  invoice_evidence: (tenantId) => sql`select created_at, ${NEVER} from billing.invoices
    where tenant_id = ${tenantId} and evidence_conflict`,
  commission: (tenantId) => sql`select created_at, available_at from affiliation.commissions
    where tenant_id = ${tenantId} and flags <> '{}' and reviewed_at is null`,
  gateway: (tenantId) => sql`select checked_at, ${NEVER} from billing.gateways
    where tenant_id = ${tenantId} and enabled and archived_at is null and fault is not null`,
  node: (tenantId) => sql`select tested_at, ${NEVER} from panel.nodes
    where tenant_id = ${tenantId} and deleted_at is null
      and status in ('unreachable', 'unauthorized')`,
  webhook_endpoint: (tenantId) => sql`select coalesce(failing_since, disabled_at), ${NEVER}
    from webhooks.endpoints
    where tenant_id = ${tenantId} and deleted_at is null
      and (failing_since is not null or disabled_reason in ('gone', 'failing'))`,
  product: (tenantId) => sql`select created_at, ${NEVER} from store.products
    where tenant_id = ${tenantId} and archived_at is null and sellable_since is null
      and (published_at is not null or not hidden)`,
  mail_server: (tenantId) => sql`select failing_since, ${NEVER} from notifications.mail_servers
    where tenant_id = ${tenantId} and failing_since is not null`,
  mail: (tenantId) => sql`select failed_at, ${NEVER} from notifications.mails
    where tenant_id = ${tenantId} and failed_at is not null`,
  mail_text: (tenantId) => sql`select fault_at, ${NEVER} from notifications.mail_templates
    where tenant_id = ${tenantId} and fault is not null`,
} satisfies Partial<Record<AttentionKind, Part>>

export type CountedKind = keyof typeof PARTS

/** The number of pending items of each of these kinds, in one statement; kinds without any are left out. */
export async function countWaiting(
  db: Db,
  tenantId: string,
  kinds: readonly CountedKind[],
): Promise<Counted[]> {
  if (kinds.length === 0) return []
  const each = kinds.map(
    (kind) => sql`select ${kind}::text as kind, count(*)::integer as count,
      min(since) as oldest_at, min(deadline) as deadline_at
      from (select * from (${PARTS[kind](tenantId)}) as waiting (since, deadline)
        limit ${MOST_COUNTED}) as bounded`,
  )
  return db
    .selectFrom(sql<Counted>`(${sql.join(each, sql` union all `)})`.as('counted'))
    .selectAll()
    .where('count', '>', 0)
    .execute()
}
