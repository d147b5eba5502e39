import assert from 'node:assert/strict'
import { test } from 'node:test'
import { LOCALES, languageName } from '#lib/languages.ts'
import { invoiceTexts } from '#notifications'
import { billingShop } from '#test/billing-shop.ts'
import { textOfPdf } from '#test/pdf-text.ts'

const shop = await billingShop()
const { app } = shop

/** The letters beyond English of all eight languages. */
const LETTERS = 'ÀÂÄÃÁàâäãáÇçÉÈÊËéèêëÍÎÏíîïÌìÑñÓÔÖÕÒóôöõòÚÙÛÜúùûüŒœßĄąĆćĘęŁłŃńŚśŹźŻż¿¡'

for (const locale of LOCALES) {
  test(`an invoice in ${languageName(locale)} is printed with its words, dates, amounts and letters`, async () => {
    const customer = await shop.buyer()
    const name = `Ada ${LETTERS}`
    const { status, text } = await customer.patch('/v1/users/me', { locale, name })
    assert.equal(status, 200, text)
    const { invoice, url } = await shop.checkout(customer, 123_456)
    await shop.complete(url)
    await shop.became(customer, invoice.id, 'paid')
    const paper = await app.eventually('its paper is made', async () => {
      const response = await fetch(`${app.url}/v1/billing/invoices/${invoice.id}/pdf`, {
        headers: { authorization: `Bearer ${customer.token}` },
      })
      return response.status === 200 && Buffer.from(await response.arrayBuffer())
    })
    const shown = textOfPdf(paper).replace(/\s+/g, '')
    const { printed } = invoiceTexts(locale)
    const { region } = printed
    const day = new Intl.DateTimeFormat(region, { dateStyle: 'long', timeZone: 'UTC' })
    const amount = new Intl.NumberFormat(region, { minimumFractionDigits: 2 }).format(1234.56)
    for (const word of [
      ...[
        printed.invoice,
        printed.number,
        printed.issuedOn,
        printed.seller,
        printed.buyer,
        printed.description,
      ],
      ...[
        printed.quantity,
        printed.unitPrice,
        printed.vat,
        printed.net,
        printed.total,
        printed.paidOn,
        printed.due,
        printed.page(1, 1),
      ],
      ...[day.format(new Date(app.deps.clock.now())), amount, LETTERS],
    ]) {
      assert.ok(shown.includes(word.replace(/\s+/g, '')), `${word} in ${shown}`)
    }
    assert.doesNotMatch(shown, /\uFFFD|undefined/)
  })
}
