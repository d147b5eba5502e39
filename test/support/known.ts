import assert from 'node:assert/strict'
import { DAY_MS, later } from '#lib/time.ts'
import type { Known } from './admin-requests.ts'
import type { World } from './world.ts'

/** The objects of a world, the values of the filters that find them, and what staff searches for. */
export async function knownOf(there: World): Promise<Known> {
  const { app, admin, owner, objects, gatewayId, nodeId } = there
  const object = (path: string) => {
    const id = objects.get(path)
    assert.ok(id, path)
    return id
  }
  const read = async (path: string) => {
    const { status, body, text } = await admin.get(path)
    assert.equal(status, 200, text)
    return body
  }
  const at = (name: string) => `/v1/admin/${name}`
  const invoice = await read(at(`invoices/${object(at('invoices/:id'))}`))
  const payment = await read(at(`payments/${object(at('payments/:id'))}`))
  const creditNote = await read(at(`credit-notes/${object(at('credit-notes/:id'))}`))
  const service = await read(at(`services/${object(at('services/:id'))}`))
  const ticket = await read(at(`tickets/${object(at('tickets/:id'))}`))
  const mail = await read(at(`mails/${object(at('mails/:id'))}`))
  const affiliate = await read(at(`affiliates/${object(at('affiliates/:id'))}`))
  const order = await read(at(`orders/${object(at('orders/:id'))}`))
  const coupon = await read(at(`coupons/${object(at('coupons/:id'))}`))
  const now = app.deps.clock.now()
  const monthAgo = later(now, -30 * DAY_MS)
  return {
    objects: new Map([
      ...objects,
      [at('articles/:id/texts/:locale'), 'en'],
      [at('mail-templates/:kind/:locale'), 'en'],
      [at('imports/:id/reconciliations/:days'), '7'],
    ]),
    filters: {
      ...{ userId: owner.userId, actorId: admin.userId, impersonatorId: admin.userId },
      ...{ objectId: invoice.id, route: '/v1/admin/invoices/:id/refund' },
      ...{ from: monthAgo.slice(0, 10), to: now.slice(0, 10) },
      [at('audit-logs from')]: monthAgo,
      [at('audit-logs to')]: now,
      ...{ kind: mail.kind, recipient: mail.recipient, nodeId, gatewayId, country: 'FR' },
      ...{ productId: object(at('products/:id')), planId: object(at('plans/:planId')) },
      [at('products categoryId')]: object(at('categories/:id')),
      [at('articles categoryId')]: object(at('article-categories/:id')),
      [at('coupons code')]: coupon.code,
      [at('affiliates code')]: affiliate.code,
      // The plan of an upgrade that the service does not have.
      [at('services/{id}/options planId')]: null,
      ...{ groupId: object(at('option-groups/:id')), invoiceId: invoice.id },
      [at('invoices number')]: invoice.number,
      [at('credit-notes number')]: creditNote.number,
      [at('tickets number')]: String(ticket.number),
      ...{ providerPaymentId: payment.providerPaymentId, currency: 'EUR', orderId: order.id },
      ...{ statementId: object(at('bank-statements/:id')), serviceId: service.id },
      ...{ dueBefore: later(now, 30 * DAY_MS), affiliateId: affiliate.id },
      ...{ departmentId: object(at('departments/:id')), assigneeId: admin.userId },
      ...{ batchId: object(at('vouchers/batches/:id')), redeemedBy: owner.userId },
      roleId: object(at('rbac/roles/:id')),
    },
    searches: [
      ...[invoice.id, invoice.number, 'INV', owner.name, owner.name.slice(0, 3), owner.email],
      ...['1', 'example', payment.providerPaymentId, service.address, service.name, order.number],
      ...['nothing of this name', owner.userId],
    ].filter((it): it is string => Boolean(it)),
  }
}
