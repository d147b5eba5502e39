import http from 'node:http'
import pg from 'pg'
import { instant } from '#lib/time.ts'
import { parserOf } from '#platform/database/types.ts'
import type {
  InvoiceLineRow,
  InvoiceRow,
  InvoiceTaxRow,
} from '../src/areas/billing/invoices/queries.ts'
import { invoiceView } from '../src/areas/billing/invoices/view.ts'
import type { ServiceView } from '../src/areas/services/queries.ts'
import { viewOf } from '../src/areas/services/rules.ts'

/**
 * The least that can answer the same bytes: `node:http`, a pool, one statement by name, and
 * JSON.stringify. Nobody is asked who they are, nothing is checked, counted, or protected.
 */
const { DATABASE_URL, TENANT_ID, USER_ID } = process.env
const POOL_SIZE = 10
const LIMIT = 25

const pool = new pg.Pool({
  connectionString: DATABASE_URL,
  max: POOL_SIZE,
  types: { getTypeParser: parserOf },
  options: '-c timezone=UTC -c datestyle=ISO',
})

async function rowsOf<T extends pg.QueryResultRow>(name: string, text: string, values: unknown[]) {
  const { rows } = await pool.query<T>({ name, text, values })
  return rows
}

const SERVICES = `
  select service.tenant_id as "tenantId", service.id, service.user_id as "userId",
    service.order_id as "orderId", service.order_item_id as "orderItemId",
    service.invoice_id as "invoiceId", service.product_id as "productId",
    service.plan_id as "planId", service.name, service.environment,
    service.price_cents as "priceCents", service.value_cents as "valueCents", service.currency,
    service.interval, service.interval_count as "intervalCount", service.trial_days as "trialDays",
    service.auto_renew as "autoRenew", service.cancel_at_period_end as "cancelAtPeriodEnd",
    service.scheduled_product_id as "scheduledProductId",
    service.scheduled_plan_id as "scheduledPlanId", service.anchor_at as "anchorAt",
    service.current_period_start as "currentPeriodStart",
    service.current_period_end as "currentPeriodEnd", service.external_id as "externalId",
    service.node_id as "nodeId", service.server_id as "serverId",
    service.server_uuid as "serverUuid", service.identifier, service.address,
    service.created_at as "createdAt", service.paid_at as "paidAt",
    service.activated_at as "activatedAt", service.failed_at as "failedAt",
    service.failure_code as "failureCode", service.failure_message as "failureMessage",
    service.suspended_at as "suspendedAt", service.ended_at as "endedAt",
    service.end_reason as "endReason", product.slug as "productSlug",
    product.name as "productName", plan.name as "planName", node.url as "nodeUrl",
    member.role, member.permissions
  from services.members member
  join services.services service
    on service.tenant_id = member.tenant_id and service.id = member.service_id
  join store.products product
    on product.tenant_id = service.tenant_id and product.id = service.product_id
  join store.plans plan on plan.tenant_id = service.tenant_id and plan.id = service.plan_id
  left join panel.nodes node on node.tenant_id = service.tenant_id and node.id = service.node_id
  where member.tenant_id = $1 and member.user_id = $2
  order by member.service_id desc limit $3`

async function services(): Promise<object> {
  const values = [TENANT_ID, USER_ID, LIMIT + 1]
  const rows = await rowsOf<ServiceView>('services', SERVICES, values)
  return { data: rows.slice(0, LIMIT).map(viewOf), nextCursor: null }
}

const UNREAD = `
  select count(*) from notifications.notifications
  where tenant_id = $1 and user_id = $2 and read_at is null`

async function unread(): Promise<object> {
  const rows = await rowsOf<{ count: number }>('unread', UNREAD, [TENANT_ID, USER_ID])
  return { count: rows[0]?.count }
}

const INVOICES = `
  select tenant_id as "tenantId", id, user_id as "userId", kind, reference, status, number,
    currency, price_mode as "priceMode", subtotal_cents as "subtotalCents",
    discount_cents as "discountCents", net_cents as "netCents", tax_cents as "taxCents",
    total_cents as "totalCents", paid_cents as "paidCents", credited_cents as "creditedCents",
    refunded_cents as "refundedCents", reversed_cents as "reversedCents",
    held_credit_cents as "heldCreditCents", disputed, seller, buyer,
    tax_country as "taxCountry", tax_reason as "taxReason", mentions,
    content_hash as "contentHash", note, void_reason as "voidReason", created_at as "createdAt",
    issued_at as "issuedAt", due_at as "dueAt", paid_at as "paidAt", voided_at as "voidedAt",
    written_off_at as "writtenOffAt", replaced_by as "replacedBy"
  from billing.invoices
  where tenant_id = $1 and user_id = $2 and status <> 'draft'
  order by id desc limit $3`

const LINES = `
  select tenant_id as "tenantId", id, invoice_id as "invoiceId", position, description,
    service_id as "serviceId", product_id as "productId", quantity,
    unit_price_cents as "unitPriceCents", subtotal_cents as "subtotalCents",
    discount_cents as "discountCents", net_cents as "netCents", tax_cents as "taxCents",
    total_cents as "totalCents", tax_category as "taxCategory",
    rate_basis_points as "rateBasisPoints", tax_country as "taxCountry",
    period_start as "periodStart", period_end as "periodEnd"
  from billing.invoice_lines
  where tenant_id = $1 and invoice_id = any($2) order by invoice_id, position`

const TAXES = `
  select tenant_id as "tenantId", invoice_id as "invoiceId", position, category,
    rate_basis_points as "rateBasisPoints", country, net_cents as "netCents",
    tax_cents as "taxCents"
  from billing.invoice_taxes
  where tenant_id = $1 and invoice_id = any($2) order by invoice_id, position`

async function invoices(): Promise<object> {
  const values = [TENANT_ID, USER_ID, LIMIT + 1]
  const rows = await rowsOf<InvoiceRow>('invoices', INVOICES, values)
  const ofThem = [TENANT_ID, rows.map(({ id }) => id)]
  const lines = await rowsOf<InvoiceLineRow>('lines', LINES, ofThem)
  const taxes = await rowsOf<InvoiceTaxRow>('taxes', TAXES, ofThem)
  const now = instant(Date.now())
  const data = rows.slice(0, LIMIT).map((row) => invoiceView(row, { lines, taxes }, now))
  return { data, nextCursor: null }
}

const answers: Readonly<Record<string, () => Promise<object>>> = {
  '/v1/services': services,
  '/v1/notifications/unread-count': unread,
  '/v1/billing/invoices': invoices,
}

const server = http.createServer(async ({ url = '' }, response) => {
  const answer = answers[url]
  if (!answer) return void response.writeHead(404).end()
  const body = JSON.stringify(await answer())
  response.writeHead(200, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
  })
  response.end(body)
})
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  if (address && typeof address !== 'string') {
    console.log(`Bare listens on http://127.0.0.1:${address.port}`)
  }
})
