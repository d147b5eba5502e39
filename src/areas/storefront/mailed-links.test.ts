import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { until } from '#test/app.ts'
import { formBrowser } from '#test/form-browser.ts'
import { gameShop } from '#test/game-shop.ts'
import { mailServer } from '#test/mail-server.ts'

const { received, url: smtpUrl } = await mailServer({ after })
const shop = await gameShop({ config: { smtpUrl } })
const { app } = shop
const { publicUrl } = app.deps.config

/** The paths on the shop that a mail links to, in its head and both of its parts. */
function linksIn(mail: string): string[] {
  const end = mail.indexOf('\r\n\r\n')
  const head = mail.slice(0, end).replace(/\r\n[ \t]+/g, ' ')
  const body = mail
    .slice(end)
    .replace(/=\r\n/g, '')
    .replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
    .replaceAll('&amp;', '&')
  const [, ...linked] = `${head}${body}`.split(publicUrl)
  return [...new Set(linked.flatMap((it) => /^\/[^\s"<>)]*/.exec(it) ?? []))]
}

const mailsTo = (email: string) =>
  received.filter(({ to }) => to.includes(email)).map(({ text }) => text)

/** Waits for a link to an address whose path begins in some way. */
const linkTo = (email: string, begin: string) =>
  until(`a mail to ${email} links to ${begin}`, () =>
    mailsTo(email)
      .flatMap(linksIn)
      .find((it) => it.startsWith(begin)),
  )

/** The page behind a link, as a person sees it who is not signed in. */
async function pageAt(path: string): Promise<string> {
  const { status, text } = await formBrowser(app).open(path)
  assert.equal(status, 200, path)
  assert.match(text, /<title>/, path)
  return text
}

test('the links with tokens that mails carry open their pages without a session', async () => {
  const email = 'grace@example.org'
  const password = 'correct horse battery'
  const person = { email, password, name: 'Grace Hopper' }
  assert.equal((await app.post('/v1/auth/register', person)).status, 201)
  assert.match(await pageAt(await linkTo(email, '/verify/')), /confirm/i)

  await app.post('/v1/auth/password/forgot', { email })
  assert.match(await pageAt(await linkTo(email, '/reset/')), /name="password"/)

  const customer = await shop.customer()
  const { plan } = await shop.server({ name: 'Castle' })
  await shop.buy(customer, plan.id)
  const { id } = await shop.serviceBecame(customer, 'active')
  const stop = await linkTo(customer.email, '/v1/notifications/unsubscribe')
  assert.match(await pageAt(stop), /<form method="post">/)

  const friend = 'friend@example.org'
  const invited = await customer.post(`/v1/services/${id}/invitations`, {
    ...{ email: friend, permissions: ['power'] },
  })
  assert.equal(invited.status, 201, invited.text)
  assert.match(await pageAt(await linkTo(friend, '/i/')), /Castle/)

  const draft = await shop.admin.post('/v1/admin/invoices', {
    ...{ userId: customer.userId, currency: 'EUR' },
    lines: [{ description: 'A map', quantity: 1, unitPriceCents: 500 }],
  })
  assert.equal(draft.status, 201, draft.text)
  const issued = await shop.admin.post(`/v1/admin/invoices/${draft.body.id}/issue`)
  assert.equal(issued.status, 200, issued.text)
  const sent = await shop.admin.post(`/v1/admin/invoices/${draft.body.id}/send`)
  assert.ok(sent.status < 300, sent.text)
  assert.match(await pageAt(await linkTo(customer.email, '/pay/')), /Pay €/)
})

test('every link in a mail opens a page, or asks for a sign-in and leads back', async () => {
  const links = new Set(received.flatMap(({ text }) => linksIn(text)))
  assert.ok(links.size > 6, [...links].join(' '))
  for (const link of links) {
    const { status, location } = await formBrowser(app).open(link)
    if (status === 303) {
      const [path = ''] = link.split('#')
      assert.equal(location, `/sign-in?next=${encodeURIComponent(path)}`, link)
    } else assert.equal(status, 200, link)
  }
})
