import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { LOCALES } from '#lib/languages.ts'
import { notify } from '#notifications'
import { transact } from '#platform/database/index.ts'
import { testApp, until } from '#test/app.ts'
import { mailServer } from '#test/mail-server.ts'
import { otherTenant, type Person, person } from '#test/people.ts'
import { KINDS, POLICIES, STAFF_KINDS } from '../../preferences/policy.ts'
import { placeholdersOf, TEMPLATE_KINDS } from './placeholders.ts'

const server = await mailServer({ after })
const app = await testApp(null, { config: { smtpUrl: server.url } })
const admin = await person(app, { admin: true })
const LIST = '/v1/admin/mail-templates'
const READY = `${LIST}/service_active/en`
const standard = { subject: '{{standard_subject}}', text: '{{standard_text}}' }

function tell(who: Person, name: string, address: string | null = 'play.example.org') {
  const { tenantId, userId } = who
  const notice = { tenantId, userId, kind: 'service_active' as const, data: { name, address } }
  return transact(app.deps.database.of(tenantId), (tx) =>
    notify(tx, { ...notice, link: '/servers/1' }, app.deps.clock.now()),
  )
}

async function mailsTo(
  staff: Person,
  { email }: Person,
): Promise<{ subject: string; body: string }[]> {
  const url = `/v1/admin/mails?kind=service_active&recipient=${encodeURIComponent(email)}`
  return (await staff.get(url)).body.data
}

test('every kind of mail that the product sends to customers has a template with previews', async () => {
  const { body } = await admin.get(LIST)
  const kinds = body.data.map(({ kind }: { kind: string }) => kind)
  const french = await admin.get(LIST, { headers: { 'accept-language': 'fr' } })
  assert.equal(french.body.data[0].name, 'Une facture a été envoyée')
  const mailed = KINDS.filter((it) => POLICIES[it].email !== 'never' && !STAFF_KINDS.has(it))
  const missing = mailed.filter((it) => !kinds.includes(it))
  const ofStaff = ['incident_opened', 'incident_updated', 'incident_resolved']
  const planned = ['maintenance_planned', 'maintenance_changed']
  assert.deepEqual(missing.toSorted(), ['announcement', ...ofStaff, ...planned].toSorted())
  for (const kind of ['verify_email', 'reset_password', 'service_invitation', 'email_changed']) {
    assert.ok(kinds.includes(kind), kind)
  }
  for (const [at, { kind, name, languages }] of body.data.entries()) {
    assert.ok(name.length > 3 && name !== kind, kind)
    assert.deepEqual(languages, [])
    // Each kind in one of the languages, in turn: their texts have tests of their own.
    const locale = LOCALES[at % LOCALES.length]
    const url = `${LIST}/${kind}/${locale}`
    const { status, body: previews } = await admin.post(`${url}/preview`, standard)
    assert.equal(status, 200, url)
    for (const { subject, text, html, missing: none } of previews.data) {
      assert.equal(none, null, url)
      assert.ok(subject.length > 2 && text.includes('/home') && html.includes('<!doctype'), url)
      assert.match(html, new RegExp(`<html lang="${locale}"`))
      assert.doesNotMatch(text, /\{\{|\}\}/, url)
    }
  }
})

test('each placeholder of each kind has a value in one of its examples', async () => {
  for (const kind of TEMPLATE_KINDS) {
    const text = placeholdersOf(kind)
      .map((name) => `${name}: {{${name}}}`)
      .join('\n\n')
    const { body, status } = await admin.post(`${LIST}/${kind}/fr/preview`, { subject: 'x', text })
    assert.equal(status, 200, kind)
    assert.ok(
      body.data.some((it: { missing: string | null }) => it.missing === null),
      kind,
    )
  }
})

test('a mail has the subject and text of the shop in the language of the recipient, with its table, button and escaped values', async () => {
  const customer = await person(app, { name: 'Zoë' })
  const french = await person(app)
  assert.equal((await french.patch('/v1/users/me', { locale: 'fr' })).status, 200)
  const before = await admin.get(READY)
  assert.deepEqual([before.body.subject, before.body.text], [standard.subject, standard.text])
  assert.equal(before.body.isStandard, true)
  const own = {
    subject: 'Ahoy {{name}}, {{ service }} is up',
    text: 'Join us at {{address}}.\n\n<b>Have fun</b>\n\n{{standard_text}}',
  }
  const set = await admin.put(READY, own, {
    headers: { 'if-match': String(before.headers.etag) },
  })
  assert.deepEqual([set.status, set.body.isStandard, set.body.text], [200, false, own.text])
  // The name of a server is chosen by its owner: braces in it have no effect.
  await tell(customer, 'Bay {{address}} <i>')
  await tell(french, 'Baie')
  const [mail] = await mailsTo(admin, customer)
  assert.equal(mail?.subject, 'Ahoy Zoë, Bay {{address}} <i> is up')
  assert.match(
    mail?.body ?? '',
    /^Hello Zoë,\n\nJoin us at play\.example\.org\.\n\n<b>Have fun<\/b>/,
  )
  assert.match(mail?.body ?? '', /Your server is ready to play at play\.example\.org\./)
  assert.match(mail?.body ?? '', /Address: play\.example\.org\n\nOpen the server:\n\/servers\/1/)
  const [other] = await mailsTo(admin, french)
  assert.doesNotMatch(other?.body ?? '', /Ahoy|Have fun/)
  const sent = await until('the mail arrives', () =>
    server.received.find(({ to }) => to.includes(customer.email)),
  )
  const html = sent.text.replaceAll('=\r\n', '')
  assert.match(html, /&lt;b&gt;Have fun&lt;\/b&gt;/)
  assert.match(html, /&lt;i&gt; is up<\/h1>/)

  const list = (await admin.get(LIST)).body.data
  const entry = list.find(({ kind }: { kind: string }) => kind === 'service_active')
  assert.deepEqual([entry.languages, entry.unused], [['en'], []])
  assert.deepEqual(
    (await customer.get('/v1/notifications')).body.data[0].title,
    'Bay {{address}} <i> is ready',
  )
  assert.equal((await admin.delete(READY)).body.isStandard, true)
  await tell(customer, 'Cove')
  assert.equal((await mailsTo(admin, customer))[0]?.subject, 'Cove is ready')
  assert.equal((await admin.delete(READY)).status, 404)
})

test('a mail in which a placeholder has no value is sent with the standard text, and staff are notified once', async () => {
  const customer = await person(app)
  const staff = await person(app, { permissions: ['system:read'] })
  const own = { subject: 'Your address', text: 'It is {{address}}.' }
  assert.equal((await admin.put(READY, own)).status, 200)
  await tell(customer, 'First', null)
  const faulty = await until('the fault is stored', async () => {
    const { body } = await admin.get(READY)
    return body.fault && body
  })
  assert.equal(faulty.fault.placeholder, 'address')
  await tell(customer, 'Second', null)
  await tell(customer, 'Third')
  const subjects = (await mailsTo(admin, customer)).map(({ subject }) => subject)
  assert.deepEqual(subjects, ['Your address', 'Second is ready', 'First is ready'])
  const { data: notices } = (await staff.get('/v1/notifications')).body
  const told = notices.filter(({ title }: { title: string }) => /text for a mail/.test(title))
  assert.equal(told.length, 1)
  assert.equal(told[0].link, '/admin/mails/texts/service_active?language=en')
  assert.match(told[0].body, /“Your address” \(English\).*\{\{address\}\}/)
  const { items } = (await staff.get('/v1/admin/attention')).body
  assert.ok(
    items.some((it: { kind: string; count: number }) => it.kind === 'mail_text' && it.count === 1),
  )
  // An edit forgets the fault, and reports the next one.
  assert.equal((await admin.put(READY, { ...own, subject: 'Address' })).body.fault, null)
  await tell(customer, 'Fourth', null)
  await until('the next fault is stored', async () => (await admin.get(READY)).body.fault)
  await admin.delete(READY)
})

test('unknown placeholders and open braces are refused with the known ones, and another’s edit is not overwritten', async () => {
  const url = `${LIST}/invoice_sent/de`
  const refused = await admin.put(url, { subject: '{{invoce}}', text: 'Für {{ amount }} {{due' })
  assert.deepEqual([refused.status, refused.body.code], [422, 'placeholder_unknown'])
  const [first, second] = refused.body.details
  assert.deepEqual([first.path, second.path], ['subject', 'text'])
  assert.match(first.message, /\{\{invoce\}\}.*\{\{invoice\}\}, \{\{amount\}\}, \{\{due_amount\}\}/)
  assert.equal((await admin.post(`${url}/preview`, { subject: '{{x}}', text: 'x' })).status, 422)
  assert.equal((await admin.put(url, { subject: 'A\nBcc: x', text: 'x' })).status, 400)
  assert.equal((await admin.put(url, { subject: 'A', text: ' \n ' })).status, 400)
  assert.equal((await admin.put(`${LIST}/admin_attention/en`, standard)).status, 404)
  assert.equal((await admin.put(`${LIST}/invoice_sent/xx`, standard)).status, 404)

  const { headers } = await admin.get(url)
  const match = { headers: { 'if-match': String(headers.etag) } }
  assert.equal(
    (await admin.put(url, { subject: 'Eins', text: '{{standard_text}}' }, match)).status,
    200,
  )
  assert.equal((await admin.put(url, { subject: 'Zwei', text: 'x' }, match)).status, 412)
  assert.equal((await admin.get(url)).body.subject, 'Eins')
  // The standard text is not kept as a text of the shop.
  assert.equal((await admin.put(url, standard)).body.isStandard, true)
  assert.equal((await admin.delete(url)).status, 404)
})

test('an edit is in the audit log with the text before and after; other shops and callers without permission change nothing', async () => {
  const url = `${LIST}/invoice_paid/en`
  const reader = await person(app, { permissions: ['system:read'] })
  const clerk = await person(app, { permissions: ['invoices:write'] })
  const other = await person(app, {
    tenantId: await otherTenant(app, 'mails.example'),
    admin: true,
  })
  const own = { subject: 'Paid: {{invoice}}', text: 'Thank you, {{name}}.' }
  assert.equal((await reader.put(url, own)).status, 403)
  assert.equal((await reader.get(url)).status, 200)
  assert.equal((await clerk.get(url)).status, 403)
  assert.equal((await admin.put(url, own)).status, 200)
  assert.equal((await other.get(url)).body.isStandard, true)
  assert.equal((await other.delete(url)).status, 404)
  const route = encodeURIComponent('/v1/admin/mail-templates/:kind/:locale')
  const { data } = (await admin.get(`/v1/admin/audit-logs?method=PUT&route=${route}`)).body
  assert.match(JSON.stringify(data[0].changes), /standard_subject.*Paid: \{\{invoice\}\}/)
})

test('a test mail of a kind goes to the caller only, in the chosen language and with the saved text', async () => {
  const url = `${LIST}/payment_reminder/fr`
  await admin.put(url, { subject: 'Rappel {{invoice}}', text: 'Avant le {{due_date}}.' })
  const { status, body } = await admin.post(`${url}/test`)
  const { email } = admin
  assert.deepEqual(
    [status, body],
    [200, { ok: true, server: 'platform', recipient: email, message: null }],
  )
  const mail = server.received.find(({ text }) =>
    /^Subject: \[Test\] Rappel INV-2030-00042/m.test(text),
  )
  assert.deepEqual(mail?.to, [email])
  assert.match(mail?.text ?? '', /Avant le 2 janvier 2030\./)
})
