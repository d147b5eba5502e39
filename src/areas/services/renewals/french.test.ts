import assert from 'node:assert/strict'
import { buffer } from 'node:stream/consumers'
import { test } from 'node:test'
import { boundary } from '#lib/periods.ts'
import { DAY_MS, dayOf, later, millis } from '#lib/time.ts'
import { gameShop } from '#test/game-shop.ts'
import { textOfPdf } from '#test/pdf-text.ts'

const shop = await gameShop()
const { app, db } = shop
const MONTHLY = { interval: 'month', intervalCount: 1 } as const

test('a French customer’s renewal is French, in the JSON and on the paper', async () => {
  const { product, plan } = await shop.server()
  const ada = await shop.customer('FR')
  assert.equal((await ada.patch('/v1/users/me', { locale: 'fr' })).status, 200)
  const placed = await shop.order(ada, plan.id, { savePaymentMethod: true })
  await shop.complete(placed.payment.redirectUrl)
  const { currentPeriodStart } = await shop.serviceBecame(ada, 'active')
  const start = boundary(currentPeriodStart, MONTHLY, 1)
  const end = boundary(currentPeriodStart, MONTHLY, 2)
  const before = later(start, -2 * DAY_MS)
  await app.advance(Math.ceil((millis(before) - millis(app.deps.clock.now())) / 1000))
  const renewal = await app.eventually('the renewal is invoiced', async () => {
    const { body } = await ada.get('/v1/billing/invoices')
    return body.data.length === 2 && body.data[0]
  })
  const { body } = await ada.get(`/v1/billing/invoices/${renewal.id}`)
  const [first, last] = [dayOf(start), dayOf(later(end, -DAY_MS))]
  const days = new Intl.DateTimeFormat('fr-FR', { dateStyle: 'long', timeZone: 'UTC' })
  const period = days.formatRange(new Date(first), new Date(last)).replaceAll('\u2009', ' ')
  const wanted = `${product.name}, ${plan.name} : ${period}`
  assert.deepEqual(
    body.lines.map((it: { description: string }) => it.description),
    [wanted],
  )
  const { fileKey } = await app.eventually('its paper is made', () =>
    db
      .selectFrom('billing.document_files as file')
      .innerJoin('billing.documents as document', 'document.id', 'file.documentId')
      .select('file.fileKey')
      .where('document.invoiceId', '=', renewal.id)
      .where('file.format', '=', 'pdf')
      .executeTakeFirst(),
  )
  const stored = await app.deps.files.get(fileKey)
  assert.ok(stored)
  const paper = textOfPdf(await buffer(stored))
  const words = (text: string) => text.replace(/\s+/g, ' ')
  assert.ok(words(paper).includes(words(wanted)), paper)
  for (const word of ['Facture', 'Date d’émission', 'Désignation', 'Total TTC', 'Net à payer']) {
    assert.ok(paper.includes(word), `${word} in ${paper}`)
  }
  assert.doesNotMatch(paper, /Invoice|Description|Total incl/)
})
