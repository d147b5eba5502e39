import assert from 'node:assert/strict'
import fs from 'node:fs'
import path from 'node:path'
import { after, test } from 'node:test'
import { until } from '#test/app.ts'
import { botOf, linkDiscord } from '#test/bot.ts'
import type { Answer } from '#test/client.ts'
import { gameShop } from '#test/game-shop.ts'
import { mailServer } from '#test/mail-server.ts'
import { textOfPdf } from '#test/pdf-text.ts'

/** Everything that has a name is called by markup, a script and templates, from the shop to its buyer. */
const EVIL = `<img src=x onerror=alert(1)> javascript:alert(1) {{7*7}} \${7*7}`
const SHOWN = EVIL.replaceAll('<', '&lt;').replaceAll('>', '&gt;')
const EGG = '../sandbox/panel/data/eggs/minecraft-paper.ptdl-v2.json'

const smtp = await mailServer({ after })
const shop = await gameShop({ config: { smtpUrl: smtp.url } })
const { app, admin, tenantId } = shop
const named = { name: EVIL }

const tenant = { ...named, brand: { ...named, legalFooter: EVIL }, seller: { ...named } }
const renamed = await admin.patch(`/v1/admin/tenants/${tenantId}`, tenant)
assert.equal(renamed.status, 200, renamed.text)
const category = await shop.catalog.category(named)
const { product, plan } = await shop.server({ ...named, categoryId: category.id }, named)
const customer = await shop.customer()
assert.equal((await customer.patch('/v1/users/me', named)).status, 200)
const bot = await botOf(app, admin)
const discordId = await linkDiscord(app, customer)
const placed = await shop.buy(customer, plan.id)
await shop.becameOneSale(customer, placed)

test('the answers of the shop have names as they were typed (hardening 30)', async () => {
  const file = JSON.parse(fs.readFileSync(path.join(import.meta.dirname, EGG), 'utf8'))
  const imported = await admin.post('/v1/admin/eggs/import', {
    file: JSON.stringify({ ...file, ...named, uuid: undefined }),
  })
  assert.equal(imported.status, 201, imported.text)
  const egg = (await admin.get(`/v1/admin/eggs/${imported.body.id}`)).body
  const [service] = (await customer.get('/v1/services')).body.data
  const invoice = (await customer.get(`/v1/billing/invoices/${placed.invoice.id}`)).body
  const [shown] = (await app.get('/v1/store/categories')).body.data
  for (const name of [
    ...[egg.name, shown.name, (await app.get('/v1/meta')).body.brand.name],
    ...[(await app.get(`/v1/store/products/${product.id}`)).body.name],
    ...[service.name, service.product.name, service.plan.name],
    (await customer.get('/v1/users/me')).body.name,
  ]) {
    assert.equal(name, EVIL)
  }
  assert.ok(invoice.lines[0].description.includes(EVIL))
  const notices: Answer['body'][] = (await customer.get('/v1/notifications')).body.data
  assert.ok(notices.some(({ title }) => title.includes(EVIL)))
})

test('the game panel is told names as they were typed (hardening 30)', async () => {
  const [server] = await shop.servers()
  assert.equal(server.name, EVIL)
})

test('mails show names as text, in both of their forms (hardening 30)', async () => {
  const mails = await until('the service is told of', () => {
    const all = smtp.received.map(({ text }) => readable(text))
    return all.some((it) => it.includes('play.') || it.includes(EVIL)) && all
  })
  for (const mail of mails) {
    const [plain = '', html = ''] = mail.split(/(?=<!doctype html)/i)
    assert.ok(plain.includes(EVIL), plain)
    assert.ok(html.includes(SHOWN), html)
    assert.doesNotMatch(html, /<img|<script|\bon\w+="|href="(?!https?:)|>49</i)
  }
})

test('a document shows names as text, and its e-invoice keeps them (hardening 30)', async () => {
  const url = `/v1/billing/invoices/${placed.invoice.id}`
  const pdf = await until('the document is made', async () => {
    const response = await fetch(`${app.url}${url}/pdf`, {
      headers: { authorization: `Bearer ${customer.token}` },
    })
    return response.status === 200 && Buffer.from(await response.arrayBuffer())
  })
  const words = (text: string) => text.replace(/\s+/g, '')
  const shown = words(textOfPdf(pdf)).split(words(EVIL)).length - 1
  assert.ok(shown >= 3, `the seller, the buyer and the line: ${shown}`)
  assert.doesNotMatch(pdf.toString('latin1'), /\/JavaScript|\/URI|\/Launch/)
  const { text } = await customer.get(`${url}/xml`)
  assert.ok(text.includes(SHOWN.replaceAll('&gt;', '>')) || text.includes(SHOWN), text)
})

test('a table has names as text, none of which begins as a formula (hardening 30, 31)', async () => {
  await shop.invoice(customer, { kind: 'renewal' })
  const url = '/v1/admin/reports/receivables/customers?format=csv'
  const table = async () => (await admin.get(url)).text.split('\r\n')
  assert.ok((await table()).some((line) => line.includes(`,${EVIL},`)))
  for (const name of ['=1+1', '+1', '-1', '@SUM(A1)']) {
    assert.equal((await customer.patch('/v1/users/me', { name })).status, 200)
    assert.ok(
      (await table()).some((line) => line.includes(`,"'${name}",`)),
      name,
    )
  }
  const answer = await admin.get(url)
  assert.match(String(answer.headers['content-type']), /^text\/csv/)
  assert.equal(
    answer.headers['content-disposition'],
    'attachment; filename="receivables-customers.csv"',
  )
})

test('bots are told names as they were typed (hardening 30)', async () => {
  const { body } = await bot.get(`/v1/bot/users/${discordId}/notifications`)
  assert.ok(body.data.some(({ title }: { title: string }) => title.includes(EVIL)))
})

/** What a mail program would show the parts of a mail as, one after the other. */
function readable(mail: string): string {
  return mail
    .split(/\r\n--\S+\r\n/)
    .map((part) => {
      const [head = '', ...rest] = part.split('\r\n\r\n')
      const body = rest.join('\r\n\r\n')
      if (/base64/i.test(head)) return Buffer.from(body, 'base64').toString()
      if (!/quoted-printable/i.test(head)) return body
      const bytes = body
        .replace(/=\r\n/g, '')
        .replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number(`0x${hex}`)))
      return Buffer.from(bytes, 'latin1').toString()
    })
    .join('\n')
}
