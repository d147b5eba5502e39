import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testApp } from '#test/app.ts'
import { otherTenant, person } from '#test/people.ts'
import { importDump, smallDump } from '#test/small-whmcs.ts'

type Hit = { id: string; title: string; userId: string | null; amountCents: number | null }
type Found = { jump: { kind: string } | null; groups: { kind: string; hits: Hit[] }[] }

const app = await testApp(null)
const admin = await person(app, { admin: true })
const { status, report } = await importDump(
  app,
  smallDump({
    tblclients: [{ id: 4711, email: 'ada@example.com' }],
    tblhosting: [{ id: 815, userid: 4711 }],
    tblorders: [{ id: 5, userid: 4711, ordernum: '9283746510' }],
    tblinvoices: [{ id: 66, userid: 4711, invoicenum: 'OLD-2026-7', status: 'Paid' }],
    tblinvoiceitems: [{ invoiceid: 66, userid: 4711 }],
    tblaccounts: [{ id: 31, userid: 4711, invoiceid: 66, transid: 'PAY-1AB23456CD' }],
  }),
)
assert.equal(status, 'completed', JSON.stringify(report.differences))

async function search(q: string, by = admin): Promise<Found> {
  const { body, text, ...answer } = await by.get(`/v1/admin/search?q=${encodeURIComponent(q)}`)
  assert.equal(answer.status, 200, text)
  return body
}

/** The hits of a group. */
const hitsOf = ({ groups }: Found, kind: string) =>
  groups.find((it) => it.kind === kind)?.hits ?? []

test('what an import brought is found by its number and its id in the old system', async () => {
  const [ada] = hitsOf(await search('ada@example.com'), 'person')
  assert.ok(ada)
  for (const [kind, q, title] of [
    ['person', '4711', ada.title],
    ['service', '815', 'play'],
    ['invoice', 'OLD-2026-7', 'OLD-2026-7'],
    ['imported_payment', 'PAY-1AB23456CD', 'PAY-1AB23456CD'],
    ['imported_order', '9283746510', '9283746510'],
  ] as const) {
    const [first, ...others] = hitsOf(await search(q), kind)
    assert.deepEqual([first?.title, first?.userId, others], [title, ada.id, []], q)
  }
  const [payment] = hitsOf(await search('PAY-1AB23456CD'), 'imported_payment')
  assert.equal(payment?.amountCents, 1000)
  for (const q of ['4712', '471', 'PAY-1AB', '928374651']) {
    const { groups } = await search(q)
    assert.deepEqual(groups, [], q)
  }
})

test('nobody else finds it, and staff only what they may see', async () => {
  const tenantId = await otherTenant(app, 'search.test')
  const foreigner = await person(app, { tenantId, admin: true })
  const seller = await person(app, { permissions: ['orders:read'] })
  for (const q of ['4711', '815', 'OLD-2026-7', 'PAY-1AB23456CD', '9283746510']) {
    assert.deepEqual(await search(q, foreigner), { jump: null, groups: [] }, q)
  }
  assert.deepEqual((await search('PAY-1AB23456CD', seller)).groups, [])
  assert.equal(hitsOf(await search('9283746510', seller), 'imported_order').length, 1)
})
